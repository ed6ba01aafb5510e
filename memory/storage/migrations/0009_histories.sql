-- Histories that were brought along from other programs: which file, and how far it was read.
CREATE TABLE imports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    file TEXT NOT NULL,
    -- A hash of the file, so that one that was broken off goes on; '' once it is undone.
    fingerprint TEXT NOT NULL,
    format TEXT NOT NULL,
    room_id TEXT NOT NULL REFERENCES rooms (id),
    audience TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('reading', 'read', 'undoing', 'undone')),
    -- Its entries that were taken in, and the last of its messages that facts were looked for in.
    read_to INTEGER NOT NULL DEFAULT 0,
    learnt_to INTEGER NOT NULL DEFAULT 0,
    by_model INTEGER NOT NULL DEFAULT 0,
    stored INTEGER NOT NULL DEFAULT 0,
    known INTEGER NOT NULL DEFAULT 0,
    forgotten INTEGER NOT NULL DEFAULT 0,
    left_out INTEGER NOT NULL DEFAULT 0,
    unreadable INTEGER NOT NULL DEFAULT 0,
    begun_at INTEGER NOT NULL,
    read_at INTEGER,
    undone_at INTEGER
) STRICT;
-- Which import a message came by; NULL for one that was heard.
ALTER TABLE messages ADD COLUMN brought_by INTEGER REFERENCES imports (id);
CREATE INDEX messages_brought ON messages (brought_by, id) WHERE brought_by IS NOT NULL;
-- What was heard live, to know it again in a history that has no ids.
CREATE INDEX messages_heard ON messages (audience, sent_at) WHERE brought_by IS NULL;
-- Statements that another memory kept, and that came by an import without a message.
CREATE TABLE import_statements (
    memory_id TEXT PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
    import_id INTEGER NOT NULL REFERENCES imports (id)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_statements_of ON import_statements (import_id);
-- Who may know what was said in a space that no platform vouches for, in their direct rooms.
CREATE TABLE space_members (
    space TEXT NOT NULL,
    person_id TEXT NOT NULL REFERENCES people (id),
    PRIMARY KEY (space, person_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX space_members_person ON space_members (person_id);
