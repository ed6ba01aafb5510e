"""What the doctor says: on the machine in full, in a chat without its paths and addresses. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.diagnostics.findings import Finding

FOR_NOBODY = (
    'No notes are read before [obsidian] audience says who may hear of them: "everyone", "space" '
    'or "person".'
)


@dataclass(frozen=True, slots=True)
class Words:
    """One sentence in both languages; `machine` where the command line says more than a chat."""

    en: str
    fr: str
    machine: str = ""

    def told(self, locale: str) -> str:
        """The sentence for a chat."""
        return self.fr if locale == "fr" else self.en

    def for_machine(self) -> str:
        """The sentence for the command line."""
        return self.machine or self.en


_PARTS: Mapping[str, Words] = {
    "eko": Words("eko", "eko"),
    "data folder": Words("data folder", "dossier des données"),
    "database": Words("database", "base de données"),
    "embedder": Words("embedder", "plongements"),
    "vector store": Words("vector store", "base de vecteurs"),
    "model": Words("model", "modèle"),
    "notes": Words("notes", "notes"),
    "discord": Words("discord", "discord"),
    "web page": Words("web page", "page web"),
    "daemon": Words("daemon", "démon"),
    "pauses": Words("pauses", "pauses"),
}

_SAID: Mapping[str, Words] = {
    "software": Words("version {version} on Python {python}", "version {version}, Python {python}"),
    "folder": Words("{free} MB free", "{free} Mo libres", "{folder}, {free} MB free"),
    "database": Words(
        "SQLite {sqlite}, schema {schema}: {messages} messages, {memories} memories, {turns} "
        "turns, {live} live",
        "SQLite {sqlite}, schéma {schema} : {messages} messages, {memories} souvenirs, {turns} "
        "échanges, {live} en attente d'un digest",
    ),
    "embedder": Words("{name}", "{name}"),
    "embedder_none": Words(
        "none: recall goes by words, names and times",
        "aucun : je cherche par les mots, les noms et les dates",
    ),
    "embedder_offline": Words("{name}, in process", "{name}, sur place"),
    "embedder_failed": Words("{name} does not answer", "{name} ne répond pas", "{name}: {error}"),
    "vectors": Words(
        "{kind}: {held} entries, {waiting} changes waiting",
        "{kind} : {held} entrées, {waiting} changements en attente",
    ),
    "vectors_unused": Words("not used: there is no embedder", "inutile sans plongements"),
    "vectors_failed": Words("{kind} does not answer", "{kind} ne répond pas", "{kind}: {error}"),
    "model": Words(
        "{name}, reachable (the key is only tried when someone speaks)",
        "{name}, joignable (la clé ne sert que quand on me parle)",
        "{name} at {address}, reachable (the key is only tried when someone speaks)",
    ),
    "model_none": Words(
        "none: the offline pet answers from memory by rules",
        "aucun : je réponds de mémoire, par des règles",
    ),
    "model_failed": Words(
        "{name} cannot be reached",
        "{name} est injoignable",
        "{name} at {address} cannot be reached",
    ),
    "notes": Words(
        "{notes} notes, {waiting} changes waiting",
        "{notes} notes, {waiting} changements en attente",
        "{vault}: {notes} notes, {waiting} changes waiting",
    ),
    "notes_unused": Words("not used: [obsidian] kind is off", "aucune : [obsidian] kind vaut off"),
    "notes_unread": Words("not read", "pas lues"),
    "notes_never": Words("never read", "jamais lues", "never read: {error}"),
    "notes_stale": Words(
        "not refreshed since {since}",
        "pas relues depuis {since}",
        "not refreshed since {since}: {error}",
    ),
    "discord": Words(
        "connected as {name}, in {guilds} servers, reads messages",
        "en ligne comme {name}, sur {guilds} serveurs, lit les messages",
    ),
    "discord_apart": Words(
        "{name}, in {guilds} servers, may read messages; not connected now",
        "{name}, sur {guilds} serveurs, peut lire les messages ; pas en ligne",
    ),
    "discord_blind": Words(
        "{name}, in {guilds} servers, is not allowed to read what does not address it",
        "{name}, sur {guilds} serveurs, n'a pas le droit de lire ce qui ne s'adresse pas à lui",
    ),
    "discord_none": Words("not used: there is no bot token", "inutilisé : pas de jeton de bot"),
    "discord_refused": Words("the bot token is refused", "le jeton du bot est refusé"),
    "discord_unreachable": Words("does not answer", "ne répond pas"),
    "page": Words("served", "servie", "{page}"),
    "page_off": Words("switched off", "désactivée"),
    "page_unserved": Words("not served now", "pas servie"),
    "daemon": Words(
        "running since {since}", "tourne depuis {since}", "process {pid}, since {since}"
    ),
    "daemon_none": Words("not running", "ne tourne pas"),
    "pauses": Words("in {number} places", "à {number} endroits", "paused: {spaces}"),
    "pauses_none": Words("none", "aucune"),
}

_TODO: Mapping[str, Words] = {
    "free_disk": Words("Free some disk space.", "Libère de la place sur le disque."),
    "choose_embedder": Words(
        'Set [embedder] kind = "offline" to recall by meaning as well.',
        'Mets [embedder] kind = "offline" pour que je cherche aussi par le sens.',
    ),
    "check_voyage": Words(
        "Check VOYAGE_API_KEY and the network.", "Vérifie VOYAGE_API_KEY et le réseau."
    ),
    "set_voyage": Words(
        "Set VOYAGE_API_KEY for an embedder that reads French as well as English.",
        "Avec VOYAGE_API_KEY, le français est lu aussi bien que l'anglais.",
    ),
    "check_qdrant": Words(
        "Check that QDRANT_URL answers; nothing is lost meanwhile.",
        "Vérifie que QDRANT_URL répond ; rien ne se perd entre-temps.",
    ),
    "set_model": Words(
        "Set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a local model.",
        "Mets ANTHROPIC_API_KEY, ou ANTHROPIC_BASE_URL pour un modèle local.",
    ),
    "check_model": Words(
        "Check the network and ANTHROPIC_BASE_URL.", "Vérifie le réseau et ANTHROPIC_BASE_URL."
    ),
    "notes_for_nobody": Words(
        FOR_NOBODY,
        "Aucune note n'est lue avant que [obsidian] audience dise à qui : « everyone », "
        "« space » ou « person ».",
    ),
    "notes_known": Words(
        "What was read before is still known. See docs/obsidian.md.",
        "Ce qui a été lu avant reste connu. Voir docs/obsidian.md.",
    ),
    "set_discord": Words(
        "Set DISCORD_TOKEN to be on Discord.", "Mets DISCORD_TOKEN pour être sur Discord."
    ),
    "check_discord": Words(
        "Copy it whole into DISCORD_TOKEN; if it is lost, make a new one (Discord developer portal "
        "> your application > Bot > Reset Token). Then start again.",
        "Copie-le en entier dans DISCORD_TOKEN ; s'il est perdu, crées-en un autre (portail "
        "développeur de Discord > ton application > Bot > Reset Token). Puis redémarre-moi.",
    ),
    "reach_discord": Words("Check the network.", "Vérifie le réseau."),
    "reach_discord_invited": Words(
        "Check the network. Invitation: {invite}", "Vérifie le réseau. Invitation : {invite}"
    ),
    "allow_content": Words(
        "Switch it on: Discord developer portal > your application > Bot > Privileged Gateway "
        "Intents > Message Content Intent. Invitation: {invite}",
        "Active-le : portail développeur de Discord > ton application > Bot > Privileged Gateway "
        "Intents > Message Content Intent. Invitation : {invite}",
    ),
    "invite": Words("Invitation: {invite}", "Invitation : {invite}"),
    "set_page": Words(
        "Set [web] enabled = true to have one.", "Mets [web] enabled = true pour en avoir une."
    ),
    "run": Words("Start the pet with: eko run", "Démarre-moi avec : eko run"),
    "resume": Words(
        "End it with /resume there.",
        "On y met fin avec /resume, là-bas.",
        "End it with: eko resume SPACE",
    ),
}


def on_machine(finding: Finding) -> tuple[str, str | None]:
    """What was found and what there is to do, for whoever runs the pet, in English."""
    said = _SAID[finding.said].for_machine().format(**finding.values)
    if finding.todo is None:
        return said, None
    return said, _TODO[finding.todo].for_machine().format(**finding.values)


def in_chat(finding: Finding, locale: str) -> str:
    """The same in a line or two, without what belongs to the machine."""
    mark = {"ok": "✓", "note": "•", "fail": "✗"}[finding.state]
    said = _SAID[finding.said].told(locale).format(**finding.values)
    colon = " :" if locale == "fr" else ":"
    line = f"{mark} {_PARTS[finding.part].told(locale)}{colon} {said}"
    if finding.todo is None:
        return line
    return f"{line}\n  {_TODO[finding.todo].told(locale).format(**finding.values)}"
