"""What a request to forget is framed with, beside the words that name what is meant. Pure."""

from memory.language.text import stems
from memory.language.word_lists import NEGATIONS

FRAME = frozenset(
    stems(
        """
        please pls plz stp svp kindly eko thing things stuff info information part bit story
        detail details said told tell say shared mentioned wrote gave message line sentence phrase
        word histoire truc chose choses infos partie passage dit raconte confie ecrit parle donne
        propos sujet about regarding concerning memory memoire record remember forget know merci
        bonjour bonsoir salut hello hey dear cher regards bien good morning afternoon evening just
        now anymore ever never again forever immediately asap quickly old once quick last
        maintenant tout suite jamais plus vite definitivement desormais ancien vieux ancienne
        should would could want need prefer rather like happy love better mind ok okay sorry
        voudrais aimerais prefere mieux veux faut omg lol mdr ptdr hm euh oh ah actually finally
        enfin finalement reflexion faite petit peu instant while earlier today yesterday
        tout-a-l'heure tantot hier rest reste other others autres autre both deux everything
        anything whatever nothing one ones here there wrong outdated longer idea thanks thank
        confirm confirme mistake erreur place public secret private prive confidential between us
        entre nous see sees saw read lu vu hear entendu ask asks demande ask's asked mean stored
        existence fait fact issue matter affaire topic someone somebody anyone quelqu gens people
        nobody make made trouble scare scared peur dur hard cringe regret ashamed honte genant
        gene embarrass embarrassed embarrassing serre coeur capiche deal understood really
        vraiment very discute way cant can't bear supporte think penser feel feeling makes me
        grateful gre u ur r b4 pr jveux jai jte abt re who when much name named keep keeping kept
        store stores saved save retain known knew hold held recorded memorise memorize recall log
        bring mention repeat remain stay stick remembering garde garder gardes retiens retenir
        retienne souviens souvenir souvienne saches savoir sache stocke conserve enregistre
        connaitre ressorte detenir rappelle repete evoque mentionne traine stop quit avoid no copy
        trace arrete arreter evite eviter cesse go gone disappear vanish forgotten deleted erased
        removed wiped doit disparaitre effacer oublier supprimer faire voir shouldn shouldnt wish
        take took taken back retract withdraw pretend act imagine happen happened heard fais genre
        comme semblant taire aurais du regarde regardent concerne titre droit oubli right request
        have get sure deleting erasing removing forgetting deletion removal erasure suppression
        effacement put leave pull consider appreciate needs wants worth trait oubliettes sortir
        sors sort obligeance kind kindness gentillesse veuillez priere possible plait plai tombe
        tomber envie besoin veille vaut youd youll youve id ill youre te le la les en gardee
        embarrasses business sincerely yours cordialement vous jolly lets speak talk parler had
        donc alors then even can
        """
    )
)
"""Stems of the frame of a request: what is said to have something forgotten, not what."""


def content_stems(text: str) -> list[str]:
    """The stems that name something, without the frame of a request."""
    return [stem for stem in stems(text) if stem not in FRAME and stem not in NEGATIONS]
