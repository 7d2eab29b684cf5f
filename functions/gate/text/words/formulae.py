"""Words of which people make sentences that assert nothing: courtesies, announcements, opinions, abstentions.

English, German, French, Spanish, Italian, Portuguese and Dutch; of any other language nothing is known here. A
word is
listed where no fact can be told with it and the words of its language that hold sentences together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from gate.text.words.function_words import BY_LANGUAGE

Lists = Mapping[str, frozenset[str]]

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl")
WORD = re.compile(r"[^\W\d_]+")
_FEEL_FREE = "feel free"
_WORDS = re.compile(rf"(?i)\b{_FEEL_FREE}\b|{WORD.pattern}")


def _listed(words: str) -> frozenset[str]:
    """The words of a list as `words_of` gives those of a text: "grüßen" is "grüssen" there."""
    return frozenset(words.casefold().split())


def _sets(**listed: str) -> Lists:
    return {language: _listed(words) for language, words in listed.items()}


_CLOSED = _sets(
    en="""s t d ll re ve m don doesn didn isn aren wasn weren won couldn wouldn shouldn can hasn haven ain let lets
        not no nor without out any anything something everything whenever wherever whatever again too yes down
        able unable confidently""",
    de="""ich du ihr mir mich dich dir uns euch ihnen ihre ihren ihrem mein meine meinen meiner dein deine sein
        seine unser unsere diese dieser dieses diesem diesen das was wer wo wann weil wenn ob aber doch noch schon
        mal so ja nicht kein keine kann können könnte könnten möchte möchten will wollen soll sollte muss müssen
        darf dürfen habe hatte wäre sei bin bist seid alle alles etwas mehr sehr hier da dort dann dazu dabei damit
        dafür darum gern gerne zur vom beim ins ihm ihn ums durch ohne gegen unter bis bei jetzt""",
    fr="""j n s l d m t c qu y me te lui leur moi toi mon ma mes ton ta tes notre nos votre vos leurs cela ça ceci
        mais donc or ni car si ne pas plus très bien aussi encore ici là alors ai as avez avons suis es êtes sommes
        serai serais serait peux peut pouvez pouvons puis veux voulez veut dois devez doit être avoir fait faire
        tout tous toute toutes autre autres chose quelque rien aucun aucune sans sous vers chez entre comme
        quand""",
    es="""yo tú tu tus usted ustedes me te nos os le les mi mis nuestro nuestra su este esta esto estos estas ese
        esa eso aquello si no ni pero más muy también ya aquí allí ahora entonces he has hemos soy eres somos sea
        estoy estás puedo puede puedes podemos pueda quiero quiere debo debe haber tener tengo tienes tiene hay algo
        alguien todo todos toda todas otro otra otros otras nada sin sobre entre hasta desde cuando donde porque
        como""",
    it="""io tu lui lei noi voi loro mi ti ci vi ne me te mio mia miei mie tuo tua tuoi tue nostro nostra vostro
        vostra questo questa questi queste quello quella ciò non ma se più molto anche ancora già qui qua lì ora
        allora ho hai abbiamo avete sei siamo siete sia sto stai posso puoi può possiamo voglio vuoi vuole devo deve
        essere avere fare qualcosa tutto tutti tutta tutte altro altra altri altre nulla senza su sul sulla tra fra
        ai alla alle agli nella nei nelle come quando dove""",
    pt="""eu tu você vocês ele ela nós me te nos lhe meu minha meus minhas teu tua teus seus suas nosso nossa este
        esta isto esse essa isso aquilo não mas se mais muito também já aqui ali agora então hei havemos sou és
        somos seja estou estamos posso pode podes podemos possa quero quer devo deve ter tenho tens tem temos há
        algo alguém tudo todo todos toda todas outro outra outros outras nada sem sobre entre até quando onde porque
        pelo pela""",
    nl="""ik jij je u hij zij wij we jullie hen mij me jou jouw uw mijn ons onze hun dit deze dat wat wie waar
        wanneer niet geen maar want dus nog al zo ja hier daar dan er heb hebt had ben bent kan kunnen kunt zou wil
        willen wilt moet moeten mag mogen zal zullen alles iets niets meer andere ander veel heel erg ook toch graag
        over tot zonder onder tegen door""",
)
_GREETING = _sets(
    en="""hi hello hey dear greetings welcome thank thx sorry apologies apologize apologise
        bye goodbye congratulations congrats glad happy pleased pleasure delighted hope luck enjoy appreciate wishing
        question questions concerns choice worries worry patience hesitate please certainly sure absolutely
        definitely
        course
        okay ok alright great excellent awesome perfect fantastic day morning afternoon evening shout assist
        assistance understood noted stay ask welcome""",
    de="""hallo hi guten grüß grüezi servus tag morgen abend danke dank dankeschön willkommen entschuldigung
        entschuldigen geehrte geehrter leid glückwunsch viel spaß erfolg helfe helfen hilfe geholfen hilft hoffe
        hoffen frage fragen gern gerne melden melde bitte freue freut natürlich selbstverständlich sicher klar
        wünsche bescheid tschüss wiedersehen rückfragen verfügung vielen vielmals""",
    fr="""bonjour bonsoir salut merci bienvenue désolé désolée pardon excusez félicitations
        bravo cher chère espère espérons aide aider aidé aidera question questions hésitez hésite plaisir ravi
        ravie heureux
        heureuse bonne journée soirée bien sûr volontiers avec besoin revoir bientôt disposition absolument
        certainement""",
    es="""hola buenos buenas días tardes noches gracias bienvenido bienvenida siento lamento disculpa disculpe
        disculpas estimado estimada perdón felicidades enhorabuena espero espera ayuda ayudar ayudarte ayudarle
        ayudado
        pregunta preguntas dudes duda dudas gusto encantado encantada claro supuesto suerte adiós sirva avísame
        disposición tenga tengas día""",
    it="""ciao salve buongiorno buonasera grazie benvenuto benvenuta prego scusa scusi scusate dispiace
        complimenti gentile congratulazioni spero aiuto aiutare aiutarti aiutarla aiutato domanda domande
        esitare piacere
        felice lieto lieta certo certamente volentieri fortuna arrivederci fammi sapere utile buon buona giornata
        appetito disposizione""",
    pt="""olá oi bom boa dia tarde noite obrigado obrigada bem-vindo desculpe desculpa desculpas lamento
        prezado prezada parabéns espero ajuda ajudar ajudá ajudado pergunta perguntas dúvida dúvidas hesite
        prazer feliz claro certamente sorte tchau adeus logo disposição útil avise""",
    nl="""hallo hoi dag goedemorgen goedemiddag goedenavond dank bedankt dankjewel welkom sorry excuses
        geachte gefeliciteerd hoop hopelijk help helpen hulp geholpen vraag vragen graag gedaan aarzel gerust
        natuurlijk zeker uiteraard succes plezier tot ziens fijne prettige""",
)
_COURTEOUS = _sets(
    en="""good very back help helps helped helpful helping support service team query message messages request chat
        conversation reaching contacting asking getting touch contact reach know feel anytime anyone else
        further other additional clarification need needs want wish like love hear hearing wait delay confusion
        inconvenience mistake error misunderstanding understanding understand problem nice wonderful lovely amazing
        interesting fascinating thoughtful fun best kind warm yours faithfully respectfully well done job point cool
        look looking forward come comes start started begin continue next time today tonight week weekend trip
        journey travels get sorted away everyone folks stuck glitch mix-up mix previous dig deeper clears
        thoughts loss safe care soon later see last new last first give take make sense thing things hand hands here
        always happy using use read information clear answer answers details detail useful joy joke right matter
        trying try""",
    de="""sehr viele gute gut guter gutes schöne schönen schöner lieb liebe lieber herr frau nachricht anfrage weiter
        weitere weiteren weiterhin jederzeit einfach wissen lassen lass sagen brauchen brauchst benötigen benötigst
        antwort zeit geduld verständnis unannehmlichkeiten verwirrung freundlichen freundliche besten beste
        herzlichen herzlich herzliche zurück unterstützen unterstützung informationen auskunft nützlich hilfreich
        unklar fragst sag möchtest
        stehe steht stehen ausgezeichnete hervorragende interessante tolle super bald später reise rede wunsch
        wünschen""",
    fr="""bon bonne très excellente excellent intéressante belle beau merci message demande cher chère monsieur
        madame contacter contact demander savoir dire faites moi-même service équipe patience compréhension
        confusion désagrément meilleures meilleurs chaleureuses utile utiles information informations détails
        supplémentaires supplémentaire avez autre-chose souhaitez souhaite continuer voyage""",
    es="""bueno buena muy excelente interesante gran mensaje consulta estimado estimada señor señora contactar
        contacto preguntar saber decir decirme hágame házmelo equipo paciencia comprensión confusión molestia
        molestias cordiales mejores útil información detalles adicional adicionales necesitas necesita necesites
        necesite deseas desea viaje quieras en cualquier momento""",
    it="""buono ottima ottimo eccellente interessante bella bello messaggio richiesta caro cara gentile signor
        signora contattarci contatto chiedere dire dirmi servizio assistenza pazienza comprensione confusione
        disagio cordiali migliori informazioni dettagli ulteriori ulteriore bisogno serve desideri desidera viaggio
        modo momento qualsiasi""",
    pt="""boa bom muito excelente ótima ótimo interessante mensagem pedido caro cara prezado senhor senhora
        contactar contato perguntar saber dizer dizer-me serviço equipa equipe paciência compreensão confusão
        transtorno melhores informações detalhes adicional adicionais precisar precisa precise desejar deseja viagem
        qualquer momento""",
    nl="""goede goed leuke mooie bericht verzoek beste geachte heer mevrouw contact opnemen weten laten zeggen nodig
        geduld begrip verwarring ongemak vriendelijke hartelijke informatie details aanvullende verdere nuttig reis
        interessante uitstekende anders antwoord team service weer vandaag""",
)
_CLOSING = _sets(
    en="regards wishes sincerely cheers thanks",
    de="gruß grüße grüßen",
    fr="cordialement salutations",
    es="saludos",
    it="saluti",
    pt="cumprimentos abraço",
    nl="groet groeten",
)
_LEADING = _sets(
    en="""following follows follow below above here summary summarize summarise sum overview conclusion conclude
        details detail answer answers step steps point points key takeaway takeaways tl dr tldr context background
        list bullet example examples explain explanation note note notes information response break walk dive line
        recap brief briefly short shortly quick quickly first firstly thing things tip tips question main summing
        glance say follow-up possible correction compare compares comparison compared
        based provided given passages passage sources documents text therefore thus hence
        overall finally additionally furthermore moreover bottom facts reasons ways options benefits instructions
        guide now""",
    de="""hier folgende folgenden folgendes folgt folgen zusammenfassung zusammengefasst überblick fazit details
        schritt schritte punkte antwort tipp kurz kurze kontext hintergrund liste beispiel beispiele erklärung hinweis
        hinweise zunächst zuerst frage informationen also daher anleitung gründe möglichkeiten""",
    fr="""voici voilà suivant suivante suivants suivantes résumé bref aperçu conclusion détails étape étapes points
        réponse courte contexte liste exemple exemples explication remarque note noter astuce abord question
        informations donc
        ainsi instructions raisons options""",
    es="""aquí siguiente siguientes resumen breve conclusión detalles paso pasos puntos respuesta corta contexto
        lista ejemplo ejemplos explicación nota consejo primero pregunta información
        continuación así instrucciones razones
        opciones""",
    it="""ecco seguente seguenti riassunto breve sintesi conclusione dettagli passo passi passaggio punti risposta
        contesto elenco lista esempio esempi spiegazione nota innanzitutto domanda informazioni quindi dunque
        istruzioni ragioni opzioni""",
    pt="""aqui seguinte seguintes resumo breve conclusão detalhes passo passos pontos resposta curta contexto lista
        exemplo exemplos explicação nota primeiro pergunta informações seguir assim instruções razões opções""",
    nl="""hier volgende samenvatting samengevat kort overzicht conclusie details stap stappen punten antwoord korte
        context achtergrond lijst voorbeeld voorbeelden uitleg opmerking eerst vraag informatie dus instructies
        redenen opties""",
)
_VALUING = _sets(
    en="""good great nice lovely beautiful wonderful stunning amazing fantastic excellent awesome gorgeous charming
        delightful best better nicer nicest worst worse bad ugly boring fun fair unfair elegant favourite favorite
        interesting fascinating exciting impressive brilliant terrible awful horrible enjoyable pleasant taste cool
        sceptical skeptical sad pity shame love modern""",
    de="""gut gute guter gutes schön schöne schöner schönes wunderbar wunderbare toll tolle super herrlich großartig
        großartige beste besser schlecht hässlich langweilig fair unfair elegant interessant spannend köstlich
        lecker geschmack geschmackssache schade""",
    fr="""bon bonne beau belle magnifique merveilleux merveilleuse superbe excellent excellente génial géniale
        meilleur meilleure pire mauvais mauvaise laid ennuyeux juste injuste élégant intéressant intéressante
        délicieux goût dommage""",
    es="""bueno buena bonito bonita hermoso hermosa precioso maravilloso maravillosa estupendo estupenda excelente
        genial mejor peor malo mala feo aburrido justo injusto elegante interesante delicioso gusto lástima""",
    it="""buono buona bello bella splendido splendida meraviglioso meravigliosa ottimo ottima eccellente fantastico
        fantastica migliore peggiore brutto brutta noioso giusto ingiusto elegante interessante delizioso gusto
        peccato""",
    pt="""bom boa bonito bonita lindo linda maravilhoso maravilhosa ótimo ótima excelente fantástico fantástica
        melhor pior mau má feio chato justo injusto elegante interessante delicioso gosto pena""",
    nl="""goed goede mooi mooie prachtig prachtige geweldig geweldige fantastisch fantastische leuk leuke uitstekend
        beste beter slecht lelijk saai eerlijk oneerlijk elegant interessant heerlijk smaak jammer""",
)
_HEDGING = _sets(
    en="""opinion view mind feel feels think believe guess suppose say argue personally honestly frankly probably
        perhaps maybe seem seems sound sounds look looks simply quite rather really pretty truly matter cents bit
        little find worth idea hard easy choose pick prefer second work worked works out makes make surprised detour
        option one two way thing though concerned might""",
    de="""meinung ansicht finde finden denke glaube meine persönlich ehrlich wahrscheinlich vielleicht scheint
        klingt sieht einfach ganz wirklich ziemlich idee sache würde sagen übrigens auch wohl""",
    fr="""avis opinion trouve pense crois personnellement honnêtement probablement peut-être semble vraiment assez
        simplement idée dirais selon""",
    es="""opinión parece pienso creo personalmente sinceramente probablemente quizás realmente bastante simplemente
        idea diría mi según""",
    it="""opinione parere penso credo trovo personalmente sinceramente probabilmente forse sembra davvero abbastanza
        semplicemente idea direi secondo""",
    pt="""opinião acho penso creio pessoalmente sinceramente provavelmente talvez parece realmente bastante
        simplesmente ideia diria""",
    nl="""mening vind denk geloof persoonlijk eerlijk waarschijnlijk misschien lijkt klinkt echt best gewoon idee
        zou volgens""",
)
GIVEN = frozenset(
    [
        "passage",
        "passages",
        "context",
        "contexts",
        "excerpt",
        "excerpts",
        "snippet",
        "snippets",
        "transcript",
        "information",
    ]
)
"""Those that a model is given and that grant nothing, as a handbook may grant a discount."""
_SOURCES_LISTED = """source sources document documents doc docs text texts context contexts excerpt
excerpts article
articles handbook manual material materials reference references page pages guide quelle quellen passagen
dokument dokumente dokumenten texte kontext auszug auszüge auszügen artikel handbuch
abschnitt abschnitte unterlagen textes contexte extrait extraits manuel fuente fuentes pasaje pasajes documento
documentos texto textos contexto extracto extractos artículo guía fonte fonti passaggio passaggi brano brani
documenti
testo testi contesto estratto estratti articolo manuale guida fontes passagem passagens trecho trechos artigo guia
bron bronnen documenten tekst teksten fragment fragmenten handboek"""
SOURCES = _listed(_SOURCES_LISTED) | GIVEN
"""What an answer calls the texts that it was made from."""
_SAYING_LISTED = """say says said mention mentions mentioned state states stated specify specifies specified provide
provides provided
contain contains include includes give gives discuss discusses describe describes indicate indicates explain
explains
name names cover covers address addresses tell tells answer answered show shows list lists find found suggest
suggests
reveal reveals clarify clarifies detail details define defines leave leaves sagen sagt nennen nennt erwähnen erwähnt
enthalten enthält angeben gibt geben beantworten finden beschreiben beschreibt entnehmen hervor dit disent mentionne
mentionnent précise précisent indique indiquent contient contiennent donne donnent répondre trouver dice dicen
menciona mencionan especifica especifican indica indican contiene contienen da dan responder encontrar dicono
menziona
menzionano specifica specificano indicano contengono rispondere trovare diz dizem especificam indicam contém contêm
zegt zeggen vermeldt vermelden noemt noemen geeft geven bevat bevatten beantwoorden vinden"""
SAYING = _listed(_SAYING_LISTED)
"""Verbs with which an answer speaks of its sources."""
_KNOWING_LISTED = """know determine find found answer tell confirm verify say sure certain access able unable provide
give guess
information weiß wissen beantworten sagen finden bestätigen sicher sais répondre dire trouver confirmer sûr sûre
informations sé responder decir encontrar confirmar seguro segura información dispongo so rispondere trovare
confermare sicuro sicura informazioni sei dizer certeza informações disponho weet beantwoorden zeggen vinden
bevestigen zeker"""
KNOWING = _listed(_KNOWING_LISTED)
"""Words with which a speaker says that he cannot tell."""
_INFORMATION_LISTED = """information advice explanation details detail mention answer data indication reference
instructions guidelines guidance recommendations figure figures number list description definition examples evidence
informationen angaben hinweis hinweise erwähnung
informations información datos mención informazioni dati menzione informação informações dados menção informatie
gegevens vermelding"""
INFORMATION = _listed(_INFORMATION_LISTED)
"""What there is none of where nothing can be told."""
UNCLEAR = frozenset(("silent", "unclear", "unklar", "onduidelijk"))
"""Words that deny like a negation when a source is spoken of."""
_LACKING_LISTED = """unknown unable impossible missing insufficient unbekannt unmöglich inconnu
desconocido imposible sconosciuto impossibile desconhecido impossível onbekend onmogelijk"""
LACKING = UNCLEAR | _listed(_LACKING_LISTED)
"""The same, and words that do so beside one of saying or knowing: "impossible to tell", and not "open source"."""
_SPEAKER_LISTED = """i ich je yo io eu ik"""
SPEAKER = _listed(_SPEAKER_LISTED)
"""The first person; "we" is a firm that speaks of itself."""
_PHRASES = """that s it|that s all|that is it|that is all|and that s it|there you go|here you go|you ve got this|you bet
|you too|so be it|my pleasure|you re right|i see|got it|fair enough|well then|thank you for your attention|no problem
|not at all|anytime|read on|à bientôt|hasta luego|até logo|tot ziens|bis bald|voilà|das war s|das ist alles|c est tout
|eso es todo|è tutto|é tudo|dat is alles|dat was het
|take care|get well soon|take your time|take a look|stay safe|stay well|stay tuned|that should do it
|that should do the trick|done
|i hope this email finds you well|i hope this e mail finds you well|i hope this message finds you well
|i hope you are well|just reply to this email|just reply to this e mail|simply reply to this email
|all done|fertig"""
FORMULAE = frozenset(phrase.strip() for phrase in _PHRASES.split("|"))
"""Set phrases, word by word."""


def words_of(text: str) -> list[str]:
    """The words of a text in lower case; apostrophes part. "Feel free" is one: "free" alone tells something."""
    return [word.casefold() for word in _WORDS.findall(text)]


HOLDING: Lists = {language: BY_LANGUAGE[language] | _CLOSED[language] for language in LANGUAGES}
"""Words that hold sentences together."""
GREETING: Lists = {language: _GREETING[language] | _CLOSING[language] for language in LANGUAGES}
"""Words one of which makes a sentence of such words a greeting, thanks, an apology, a wish or an offer."""
COURTESY: Lists = {language: GREETING[language] | _COURTEOUS[language] | {_FEEL_FREE} for language in LANGUAGES}
CLOSING: Lists = {**_CLOSING, "en": _CLOSING["en"] | {"best", "love", "yours"}}
"""Words one of which makes a line of such words the close of a letter."""
LEADING = _LEADING
VALUING = _VALUING
OPINION: Lists = {language: _VALUING[language] | _HEDGING[language] for language in LANGUAGES}
HEDGING = _HEDGING
