import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;

/** One OpenSearch node in this process: arguments are settings, name=value; SIGTERM closes it. */
public final class Node {
    private Node() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, String> settings = new TreeMap<>();
        for (String argument : arguments) {
            String[] pair = argument.split("=", 2);
            settings.put(pair[0], pair[1]);
        }
        String name = settings.get("node.name");
        Path configuration = Path.of(settings.get("path.home"), "config");
        LogConfigurator.registerErrorListener();
        Environment environment =
            InternalSettingsPreparer.prepareEnvironment(Settings.EMPTY, settings, configuration, () -> name);
        LogConfigurator.setNodeName(name);
        LogConfigurator.configure(environment);

        org.opensearch.node.Node node = new org.opensearch.node.Node(environment);
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
            } catch (Exception problem) {
                problem.printStackTrace();
            } finally {
                closed.countDown();
            }
        }));
        node.start();
        closed.await();
    }
}
