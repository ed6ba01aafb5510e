"""What each query on the path of a message may cost in a store twenty times larger, and why."""

from collections.abc import Mapping
from enum import Enum

from tests.flow.growing_store import MATCHING, TIMES


class Growth(Enum):
    """How many times the steps of a query may be in the store that is twenty times larger."""

    CONSTANT = 1.5
    LOG = 2.5
    MATCHES = MATCHING * 1.5
    ALL = TIMES * 1.5


TABLE: Mapping[Growth, Mapping[str, str]] = {
    Growth.CONSTANT: {
        "a row by its key, written or read": """
            aliases.add_spoken edits.answered_by edits.answers edits.drop_query
            edits.drop_tools edits.observe_again edits.soil edits.standing
            edits.read_with edits.told erasure.drop_reactions selection.statements
            digests.clear=erasure.unlive embeddings.embed
            embeddings.unembed erasure.answers_of erasure.blank_errors erasure.blank_extractions
            erasure.blank_facts erasure.blank_knowledge erasure.blank_queries
            erasure.drop_proposals erasure.drop_stated_names erasure.drop_subjects
            erasure.drop_ties erasure.drop_tools erasure.facts_from erasure.mute_memories
            ownership.of_memories people.survivor selection.reminders_of erasure.blank_reminders
            knowledge.drop
            ledger.add_item ledger.add_retrieval ledger.add_usage statements.accessed messages.find
            messages.ids_of messages.known messages.observe outbox.announce outbox.clear
            room_excerpts.keep room_excerpts.starter
            session_backgrounds.drop session_backgrounds.chosen quiet_topics.of kept_notes.unseen
            people.add_identity people.add_person people.is_new people.person_of people.put_room
            people.room messages.by_external_id turns.add_part kept_turns.add_tool
            kept_turns.answered turns.delivered reactions.reacted_to reactions.drop_all_of
            reactions.add_of_observed turns.end_session turns.last_answered turns.open_session
            turns.part_sent turns.refused turns.start_session kept_turns.touch_session
            given.keep given.after given.changed given.drop given.turns_with
            tombstones.keys
        """,
        "rows by ids, of which there are no more than a look-up or a batch may bring": """
            candidates.statements candidates.messages candidates.overheard candidates.exchanges
            candidates.knowledge associations.around associations.messages_behind
            associations.outdated embeddings.embeddings_of statements.visible messages.visible
            statements.contradicting turns.visible outbox.live_entries outbox.memory_entries
            outbox.turn_entries
            quotations.message_texts quotations.turn_texts quotations.memory_texts
            quotations.knowledge_texts
            quotations.words_going quotations.replying quotations.audiences
            quotations.overhearing
        """,
        "what the pet knows of itself and what it wants, once a session": """
            session_backgrounds.choose
        """,
        "from one end of an index until there are enough": """
            candidates.beside candidates.at_hand candidates.statements_important
            candidates.statements_latest candidates.words_of_category embeddings.at_spots
            outbox.head quotations.still_said tombstones.latest turns.waiting value_marks.any_for
            room_excerpts.since transcript.latest transcript.around transcript.claiming
        """,
        "an index of the few rows that are so, and mostly for a while only": """
            messages.pending messages.stale turns.undelivered quotations.answers_unfound
        """,
        "a handful of spaces that the owner opened by hand, read once": "people.members",
        "one conversation and what it was told, up to its last checkpoint": """
            summaries.tail=turns.window turns.stale turns.overheard_for turns.unsaid ledger.shown
            turns.last_talk
            summaries.place summaries.of_session summaries.sessions_before summaries.told_from
            summaries.rolled_above summaries.reopen summaries.unroll summaries.drop
            quotations.followers given.in_window quotations.standing_before
            quotations.overheard_before
            room_excerpts.last_turn room_excerpts.seen_to room_excerpts.of_turns ledger.counted
        """,
    },
    Growth.LOG: {
        "few words begin as a misspelt one does": "term_counts.near",
        "few messages have a word that is rare": "term_counts.told",
        "each word is sought in every segment; its rows are counted inside full text": """
            term_counts.memories term_counts.messages term_counts.turns term_counts.knowledge
        """,
        "full text is written with it, in segments that are merged level by level": """
            messages.add messages.edit kept_turns.add edits.retell erasure.blank_messages
            erasure.blank_memories erasure.blank_turns erasure.unfind
        """,
    },
    Growth.MATCHES: {
        "every row that has the words is scored": """
            candidates.statements_by_text candidates.overheard_by_text
            candidates.exchanges_by_text candidates.knowledge_by_text quotations.answers_by_words
            transcript.matching
        """,
        "everything of a stretch of time is sorted": """
            candidates.statements_between candidates.overheard_between
            candidates.exchanges_between candidates.knowledge_between
        """,
        "what was kept in the last hours, whichever room it is of": "candidates.statements_recent",
        "everything about somebody is sorted": """
            candidates.statements_about candidates.knowledge_about zones.told given.of_account
        """,
        "who goes by a name, with all names they go by": """
            aliases.touching aliases.spoken_under
        """,
        "what the day has used": "ledger.spent",
        "beside the sample what has expired since the last sweep": "embeddings.spots",
        "what was forgotten": "tombstones.alike value_marks.among value_marks.latest",
        "exchanges that may quote what goes": """
            quotations.quoting erasure.blank_recalled erasure.blank_reply
        """,
    },
}
"""What each query on the path may cost, and why. A new one needs an entry."""

KNOWN_TO_GROW: Mapping[str, str] = {
    "quotations.tools": "what tools were told stands in no index: when a word is taken back that"
    " nobody else has said, all of it is read",
    "value_marks.names": "whom a line is about is known by all names there are, which are read only"
    " where something was forgotten",
}
"""Queries that read all there is, each with the reason why it has to."""

ENTRIES: Mapping[str, Growth] = {
    **{
        name: growth
        for growth, reasons in TABLE.items()
        for names in reasons.values()
        for name in names.split()
    },
    **dict.fromkeys(KNOWN_TO_GROW, Growth.ALL),
}

WHOLLY_ON_THE_PATH = (
    "conversations/kept_turns",
    "conversations/messages",
    "conversations/room_excerpts",
    "conversations/session_backgrounds",
    "conversations/transcript",
    "conversations/turns",
    "elsewhere/given",
    "search/candidates",
    "search/embeddings",
    "search/outbox",
    "search/term_counts",
)
"""Files of the path: what is in them is driven here, or named below."""

ELSEWHERE: Mapping[str, str] = {
    "commands and tools that no message waits for": """
        messages.recent messages.withdrawn turns.by_id turns.kept_quiet turns.starting turns.latest
        turns.previous
        turns.gone
    """,
    "what is imported, and what is done in silence": "messages.without_words turns.end_idle",
    "a voice note, which is listened to first": "messages.add_voice",
    "what a platform reports afterwards": "turns.fate turns.keep_fate",
    "a new or repaired index": """
        outbox.waiting outbox.waiting_in outbox.announce_live outbox.announce_memories
        outbox.announce_turns outbox.announce_knowledge outbox.live_ids outbox.turn_ids
        outbox.memory_ids outbox.knowledge_ids outbox.get_meta outbox.set_meta
        outbox.knowledge_entries embeddings.embedded embeddings.others embeddings.drop_rows
    """,
}
"""What is in these files and not on the path of a message."""
