"""Forms of a word that no rule of spelling leads back to it: "children", "bought", "bu", "yeux".

A stemmer cuts endings, so these would never meet their word. Accents are folded away. A form that
is as often another word, of either language, is left out: "lit" is a bed, "lent" is slow.
"""


def _bases(text: str) -> dict[str, str]:
    entries = (entry.partition(":") for entry in text.split(";"))
    return {form: base.strip() for base, _, forms in entries for form in forms.split()}


_ENGLISH = _bases(
    """
    eat: ate eaten; sun: sunny; rap: rapper; drink: drank; buy: bought; bring: brought; think:
    thought; teach: taught;
    catch: caught; fight: fought; sell: sold; tell: told; hold: held; keep: kept; sleep: slept;
    weep: wept; sweep: swept; feel: felt; leave: left; lose: lost; meet: met; pay: paid; say:
    said; make: made; go: went gone; come: came; become: became; begin: began begun; break:
    broke broken; choose: chose chosen; draw: drew drawn; drive: drove driven; fall: fell
    fallen; fly: flew flown; forget: forgot forgotten; forgive: forgave forgiven; freeze: froze
    frozen; give: gave given; get: got gotten; grow: grew grown; hear: heard; hide: hidden;
    know: knew known; mean: meant; run: ran; ride: rode ridden; ring: rang; sing: sang sung;
    sink: sank sunk; sit: sat; see: saw seen; send: sent; shake: shook shaken; shoot: shot;
    show: shown; shrink: shrank shrunk; speak: spoke spoken; spend: spent; steal: stole stolen;
    stand: stood; stick: stuck; strike: struck; swim: swam swum; swear: swore sworn; take: took
    taken; tear: tore torn; throw: threw thrown; understand: understood; wake: woke woken; wear:
    wore worn; win: won; write: wrote written; build: built; burn: burnt; dream: dreamt; learn:
    learnt; spell: spelt; bleed: bled; breed: bred; feed: fed; find: found; flee: fled; hang:
    hung; beat: beaten; bite: bitten; blow: blew blown; bend: bent; deal: dealt; dig: dug; spin:
    spun; swing: swung; kneel: knelt; withdraw: withdrew withdrawn; seek: sought; shine: shone;
    spit: spat; overcome: overcame; cling: clung; creep: crept; child: children; man: men;
    woman: women; foot: feet; tooth: teeth; mouse: mice; goose: geese; wife: wives; knife:
    knives; wolf: wolves; shelf: shelves; thief: thieves; scarf: scarves; half: halves; calf:
    calves; loaf: loaves; grandchild: grandchildren; policeman: policemen; fireman: firemen;
    fisherman: fishermen; stepchild: stepchildren
    """
)

_FRENCH = _bases(
    """
    dormir: dors dort dorment; boire: boit bu buvais buvait buvons boivent; lire: lis lu lue lus
    lues lisais lisait lisent lisons; ecrire: ecris ecrit ecrite ecrits ecrites ecrivais
    ecrivait ecrivent ecrivons; conduire: conduis conduit conduisais conduisait conduisent;
    construire: construis construit construite construisait construisent; detruire: detruit
    detruite; traduire: traduis traduit traduite traduisait; cuire: cuit cuite cuits; produire:
    produit produite produisent; reduire: reduit reduite; apprendre: apprends apprend appris
    apprise apprenais apprenait apprennent apprenons; comprendre: comprends comprend compris
    comprise comprenais comprenait comprennent; prendre: prends prend pris prenais prenait
    prennent prenons; surprendre: surpris; mettre: mets mis mettais mettait mettent; permettre:
    permets permis permise permettait; promettre: promets promet promis promettait; connaitre:
    connais connait connu connaissais connaissait connaissent; reconnaitre: reconnais reconnait
    reconnu; disparaitre: disparait disparu disparue disparaissent; naitre: nait nee nees
    naquit; mourir: meurs meurt meurent; venir: viens vient venu venus viennent venons; revenir:
    reviens revient revenu revenue reviennent; devenir: deviens devient devenu devenue
    deviennent; prevenir: previens previent prevenu; tenir: tiens tient tenu tiennent; obtenir:
    obtiens obtient obtenu; souvenir: souviens souvient souvenu; partir: pars partent partions;
    sortir: sors sortent; sentir: sentent; mentir: mens mentent; servir: sers sert servent;
    courir: courent couru; ouvrir: ouvert ouverte ouvrent; offrir: offre offres offert offerte
    offerts offrait offrent; souffrir: souffert souffrent; decouvrir: decouvert decouverte;
    couvrir: couvert couverte; recevoir: recois recoit recu recue recevais recevait recoivent;
    decevoir: decois decoit decu decue; voir: vois voit vu vue vus voyais voyait voient voyons;
    revoir: revu revue revois; savoir: sais sait su savais savait savent savons; pouvoir: peux
    peut peuvent pu pouvais pouvait pouvons; vouloir: veux veut veulent voulu voulais voulait
    voulons; devoir: dois doit doivent devais devait devons; vivre: vit vecu vivais vivait
    vivent vivons; suivre: suivi suivie suivais suivait suivent; croire: crois croit croyais
    croyait croient; dire: dis dit disais disait disent dites; rire: ris rit riait rient;
    sourire: souriait; perdre: perds perd perdu perdue perdait; vendre: vends vend vendu vendue
    vendais vendait; rendre: rends rend rendu rendait; attendre: attends attend attendu
    attendait; entendre: entends entend entendu entendait; repondre: reponds repond repondu
    repondait; descendre: descends descend descendu descendait; tondre: tond tondu; peindre:
    peins peint peinte peignais peignait peignent; eteindre: eteins eteint eteinte; craindre:
    crains craint craignais craignait; plaindre: plains plaint plaignait; rejoindre: rejoins
    rejoint; battre: battu battue battait; coudre: couds coud cousu cousait; nager: nageons;
    plaire: plait plaisait; pleuvoir: pleut pleuvait plu; vaincre: vaincu; resoudre: resolu
    resolue; fuir: fuis fuit fuyait; suffire: suffisait; inscrire: inscris inscrit inscrite
    inscrivait; elire: elu elue elus; payer: paye paient; essayer: essaie essaies; envoyer:
    envoie envoies envoient; ennuyer: ennuie ennuies; nettoyer: nettoie; appuyer: appuie;
    tutoyer: tutoie; employer: emploie; jouer: jouent; aller: vais vas va vont allais allait
    allons allez irai ira; manger: mangeons; changer: changeons; finir: finissais finissent;
    choisir: choisissais; mordre: mordu mordait mords mord; fondre: fondu; tordre: tordu;
    rompre: rompu rompt; asseoir: assis assise; convaincre: convaincu; poursuivre: poursuivi;
    survivre: survecu; exclure: exclu; demenager: demenageons; voyager: voyageons; acquerir:
    acquis; oeil: yeux; animal: animaux; hopital: hopitaux; cheveu: cheveux; jeu: jeux; neveu:
    neveux; feu: feux; lieu: lieux; nouveau: nouvelle nouvelles nouvel; beau: belle belles bel;
    vieux: vieille vieilles vieil; fou: folle folles; blanc: blanche; sec: seche seches; doux:
    douce douces; roux: rousse; faux: fausse fausses; long: longue longues; frais: fraiche;
    neuf: neuve neuves; heureux: heureuse heureuses; malheureux: malheureuse; joyeux: joyeuse;
    paresseux: paresseuse; serieux: serieuse; curieux: curieuse; nerveux: nerveuse; jaloux:
    jalouse; amoureux: amoureuse amoureuses; delicieux: delicieuse; dangereux: dangereuse;
    ennuyeux: ennuyeuse; courageux: courageuse; genereux: genereuse; sportif: sportive; vif:
    vive; acteur: actrice actrices; chanteur: chanteuse; danseur: danseuse; coiffeur: coiffeuse;
    serveur: serveuse; vendeur: vendeuse; directeur: directrice; infirmier: infirmiere
    infirmieres; etudiant: etudiante; anglais: anglaise; grec: grecque; turc: turque
    """
)

_FRENCH_VERBS = """
    abandonner accepter acheter adopter adorer aider aimer ajouter amener amuser annuler
    apporter apprecier arreter arriver assister attraper avaler avancer bavarder bosser bouffer
    bouger bricoler bruler cacher casser changer chanter chasser chercher collectionner coller
    commander commencer compter conseiller continuer copier corriger couper couter creer crier
    critiquer cuisiner danser debrouiller decider decorer dejeuner demander demarrer demenager
    depenser deranger dessiner detester developper deviner diner discuter divorcer doubler
    douter economiser ecouter effacer embaucher embrasser emmener emprunter encourager enlever
    enregistrer enseigner entrainer epouser esperer etudier eviter exister expliquer fabriquer
    fermer feter filmer fonctionner frapper fumer gagner garder gerer grignoter grimper gronder
    habiter heriter heurter imaginer imprimer inquieter installer interesser inventer inviter
    jardiner jeter jouer kiffer laver louer manger manquer marcher marier mesurer monter montrer
    nager noter occuper organiser oublier pardonner parler partager participer patiner pecher
    penser photographier piloter planter pleurer plonger porter poser postuler pousser pratiquer
    preferer preparer presenter preter profiter programmer proposer proteger publier quitter
    raconter ramener randonner ranger rater realiser refuser regarder regretter rembourser
    remercier rencontrer renover reparer repeter reserver respirer ressembler rester retrouver
    reveiller rever reviser rigoler rouler sauter sauver sejourner separer signer skier soigner
    souhaiter stresser supporter supprimer surveiller telecharger telephoner terminer tester
    tomber tousser traverser tricoter tromper trouver tuer utiliser vacciner verifier visiter
    voler voter voyager
"""
"""Common regular verbs, some of whose endings the stemmer keeps: "ils habitent", "on etudiait"."""

_ENDINGS = ("ais", "ait", "aient", "ons", "ez", "ent", "ee", "ees", "era", "erait")


def _conjugated(verb: str) -> list[str]:
    root = verb.removesuffix("er")
    forms = [root + ending for ending in _ENDINGS]
    soft = [f"{root}e{ending}" for ending in _ENDINGS if root.endswith("g") and ending[0] in "ao"]
    return forms + soft


_REGULAR = {form: verb for verb in _FRENCH_VERBS.split() for form in _conjugated(verb)}

BASES = _REGULAR | _ENGLISH | _FRENCH
"""The word that each of these forms belongs to."""
