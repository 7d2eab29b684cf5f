"""`gate completion`: the script by which a shell completes commands, options and files."""

from __future__ import annotations

import click

from gate.cli.printing import say


@click.command(short_help="Print the script by which a shell completes `gate`.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script by which a shell completes commands, options and their values.

    \b
    bash   echo 'eval "$(gate completion bash)"' >> ~/.bashrc
    zsh    echo 'eval "$(gate completion zsh)"' >> ~/.zshrc
    fish   gate completion fish > ~/.config/fish/completions/gate.fish

    Exit codes: 0 it was printed, 2 there is no such shell.
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    root = click.get_current_context().find_root().command
    assert found is not None
    script = found(root, {}, "gate", "_GATE_COMPLETE")
    say(script.source_template % script.source_vars())
