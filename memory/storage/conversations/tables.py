"""The tables of this room, made for one database."""

from memory.ports import Clock
from memory.storage.conversations.checkins import Checkins
from memory.storage.conversations.claims import Claims
from memory.storage.conversations.digest_ledger import DigestLedger
from memory.storage.conversations.digests import Digests
from memory.storage.conversations.extractions import Extractions
from memory.storage.conversations.ledger import Evaluations, Ledger
from memory.storage.conversations.messages import Messages
from memory.storage.conversations.past_readings import PastReadings
from memory.storage.conversations.reactions import Reactions
from memory.storage.conversations.reminders import Reminders
from memory.storage.conversations.room_lines import RoomLines
from memory.storage.conversations.room_positions import RoomPositions
from memory.storage.conversations.summaries import Summaries
from memory.storage.conversations.transcript import Transcript
from memory.storage.conversations.turn_records import TurnRecords
from memory.storage.conversations.turns import Turns
from memory.storage.conversations.voices import VoiceNotes
from memory.storage.sqlite.database import Database


class ConversationTables:
    """What was said, answered, digested and summarised."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self.read_backs = RoomPositions(database)
        self.past_readings = PastReadings(database, clock)
        self.messages = Messages(database, clock)
        self.voices = VoiceNotes(database, clock)
        self.claims = Claims(database)
        self.transcript = Transcript(database)
        self.room_lines = RoomLines(database)
        self.reactions = Reactions(database, clock)
        self.turns = Turns(database, clock)
        self.turn_records = TurnRecords(database)
        self.summaries = Summaries(database, clock)
        self.digests = Digests(database, clock)
        self.digest_ledger = DigestLedger(database, clock)
        self.extractions = Extractions(database)
        self.ledger = Ledger(database, clock)
        self.evaluations = Evaluations(database, clock)
        self.reminders = Reminders(database, clock)
        self.checkins = Checkins(database, clock)
