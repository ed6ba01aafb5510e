-- Rooms in which the pet may write of its own accord; whose it is where one person reads it.
CREATE TABLE checkin_rooms (
    room_id TEXT PRIMARY KEY REFERENCES rooms (id),
    person_id TEXT REFERENCES people (id),
    account TEXT,
    locale TEXT NOT NULL,
    since INTEGER NOT NULL
) STRICT;
CREATE INDEX checkin_rooms_person ON checkin_rooms (person_id);
-- What was asked after, each thing once. The words are those of the turn and of the message behind
-- it, so that what is forgotten leaves nothing here.
CREATE TABLE checkins (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    thing TEXT NOT NULL UNIQUE,
    rule TEXT NOT NULL CHECK (rule IN ('birthday', 'plan', 'outcome', 'promise')),
    room_id TEXT NOT NULL REFERENCES rooms (id),
    person_id TEXT NOT NULL REFERENCES people (id),
    message_id INTEGER REFERENCES messages (id) ON DELETE SET NULL,
    turn_id TEXT REFERENCES turns (id) ON DELETE SET NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX checkins_room ON checkins (room_id, at);
CREATE INDEX checkins_person ON checkins (person_id, at);
CREATE INDEX checkins_message ON checkins (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX checkins_turn ON checkins (turn_id) WHERE turn_id IS NOT NULL;
