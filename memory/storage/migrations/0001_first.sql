-- Times are milliseconds since 1970 UTC. `audience` is the scope key of a row (memory/model/audience.py).
-- `search_text` holds the stems of the text (memory/language.py); the triggers keep FTS5 beside it.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

-- Which pet this is, in its backups too, and the key of the marks of what it was told to forget.
INSERT INTO meta (key, value) VALUES
    ('pet.id', lower(hex(randomblob(8)))), ('tombstones.key', lower(hex(randomblob(32))));

-- Jumps of the clock by days: it was wrong from then on, or the pet was off. Undoing counts none of
-- that time, and a clock that falls back into it is believed.
CREATE TABLE clock_jumps (
    id INTEGER PRIMARY KEY,
    before INTEGER NOT NULL,
    after INTEGER NOT NULL
) STRICT;

-- What was chosen while the pet ran, against the settings file: one text for each key.
CREATE TABLE memory_settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    updated_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Who changed what; never what people said. `origin` is the session or key that it came by, and its
-- address; NULL for the command line and for commands in a chat.
CREATE TABLE audit_log (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    detail TEXT NOT NULL,
    origin TEXT,
    before TEXT,
    after TEXT
) STRICT;

-- Links by which a browser logs in, once; hashes of their tokens alone. Without a space the owner's.
CREATE TABLE login_links (
    token TEXT PRIMARY KEY,
    space TEXT,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Browsers that are logged in, and keys of programs; hashes of their tokens alone. No number is
-- given twice: the audit log calls them by it.
CREATE TABLE web_sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    space TEXT,
    address TEXT NOT NULL,
    agent TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER NOT NULL
) STRICT;
CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    rights TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER
) STRICT;

CREATE TABLE people (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    observed INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL,
    -- Whoever this person turned out to be: an empty row, to which no other row belongs any more.
    merged_into TEXT REFERENCES people (id)
) STRICT;
CREATE INDEX people_name ON people (name COLLATE NOCASE, id);
CREATE INDEX people_merged ON people (merged_into) WHERE merged_into IS NOT NULL;
CREATE VIEW merged_people AS
SELECT id, 'person:' || id AS audience, merged_into AS survivor,
    'person:' || merged_into AS survivor_audience
FROM people WHERE merged_into IS NOT NULL;

CREATE TABLE identities (
    platform TEXT NOT NULL,
    external_id TEXT NOT NULL,
    person_id TEXT NOT NULL REFERENCES people (id),
    name TEXT NOT NULL,
    PRIMARY KEY (platform, external_id)
) STRICT;
CREATE INDEX identities_person ON identities (person_id);

-- One-time codes by which an account is joined to another one's person; keyed hashes, no codes.
-- What a person asked the pet to leave alone; `audience` may read that they did.
CREATE TABLE quiet_topics (
    person_id TEXT NOT NULL REFERENCES people (id),
    topic TEXT NOT NULL,
    audience TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (person_id, topic)
) STRICT, WITHOUT ROWID;

CREATE TABLE link_codes (
    code TEXT PRIMARY KEY,
    person_id TEXT NOT NULL REFERENCES people (id),
    account TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX link_codes_open ON link_codes (person_id) WHERE used_at IS NULL;
-- Wrong codes that an account has entered lately.
CREATE TABLE link_tries (
    account TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX link_tries_account ON link_tries (account, at);

-- Codes by which a browser becomes an account of the page again; keyed hashes, no codes.
CREATE TABLE recovery_codes (
    platform TEXT NOT NULL,
    external_id TEXT NOT NULL,
    code TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (platform, external_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX recovery_codes_created ON recovery_codes (created_at);

CREATE TABLE rooms (
    id TEXT PRIMARY KEY,
    platform TEXT NOT NULL,
    external_id TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    role TEXT NOT NULL,
    -- What its platform proposes, where the role is another one.
    proposed TEXT,
    space TEXT NOT NULL,
    confidential INTEGER NOT NULL DEFAULT 0,
    -- Others than its community read it too.
    public INTEGER NOT NULL DEFAULT 0,
    -- The room that it hangs under, which need not be known yet, and the platform's id of the
    -- message that it hangs on.
    parent TEXT,
    starter TEXT,
    -- What its community is called on its platform.
    community TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    UNIQUE (platform, external_id)
) STRICT;

-- What was chosen for a room while the pet ran, against settings and platform.
CREATE TABLE room_choices (
    room_id TEXT PRIMARY KEY,
    role TEXT CHECK (role IN ('lobby', 'pet', 'mention', 'ignored')),
    confidential INTEGER NOT NULL DEFAULT 0,
    chosen_at INTEGER NOT NULL,
    chosen_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Which role of its members stands for a whole community, where its platform's own does not.
CREATE TABLE member_roles (
    space TEXT PRIMARY KEY,
    role TEXT NOT NULL,
    chosen_at INTEGER NOT NULL,
    chosen_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Spaces (`*` for all there are) where the pet neither read along nor answered, and when: what was
-- said meanwhile is not kept, not even if it is read later. It is so still without an end.
CREATE TABLE pauses (
    id INTEGER PRIMARY KEY,
    space TEXT NOT NULL,
    since INTEGER NOT NULL,
    begun_by TEXT NOT NULL,
    until INTEGER,
    ended_by TEXT
) STRICT;
CREATE UNIQUE INDEX pauses_open ON pauses (space) WHERE until IS NULL;

-- Commands of a platform's own that were taken: the same id again is the same command.
CREATE TABLE invocations (
    platform TEXT NOT NULL,
    external_id TEXT NOT NULL,
    taken_at INTEGER NOT NULL,
    PRIMARY KEY (platform, external_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX invocations_taken ON invocations (taken_at);

-- A platform whose past is being read: what came in after `since` says nothing of what was missed.
CREATE TABLE read_backs (
    platform TEXT PRIMARY KEY,
    since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Communities that were told who the pet is, and when.
CREATE TABLE greeted_spaces (
    space TEXT PRIMARY KEY,
    greeted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    person_id TEXT NOT NULL REFERENCES people (id),
    room_id TEXT NOT NULL REFERENCES rooms (id),
    -- The word of its fences (memory/model/recalled.py): as long as a session, so that what a
    -- model was sent stays the same, and of no use in another one.
    mark TEXT NOT NULL DEFAULT (lower(hex(randomblob(4)))),
    started_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    ended_at INTEGER,
    -- The last turn there is, the last one that facts were extracted from, and the last one that
    -- has left the window: such a session is closed once it has ended.
    last_turn INTEGER NOT NULL DEFAULT 0,
    extracted_to INTEGER NOT NULL DEFAULT 0,
    compacted_to INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX sessions_open ON sessions (person_id, room_id) WHERE ended_at IS NULL;
CREATE INDEX sessions_person ON sessions (person_id, room_id, last_at);
CREATE INDEX sessions_unread ON sessions (last_at) WHERE last_turn > extracted_to;
CREATE INDEX sessions_unclosed ON sessions (ended_at) WHERE last_turn > compacted_to;

CREATE TABLE turns (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL REFERENCES sessions (id),
    room_id TEXT NOT NULL REFERENCES rooms (id),
    person_id TEXT NOT NULL REFERENCES people (id),
    account TEXT,
    state TEXT NOT NULL CHECK (state IN ('replied', 'delivered', 'refused')),
    channel TEXT NOT NULL,
    speaker TEXT NOT NULL,
    text TEXT NOT NULL,
    -- The lines that were put before the model, as JSON; their text is made of them.
    recalled TEXT NOT NULL,
    reply TEXT NOT NULL,
    -- A sentence that was sent before the reply (that the model failed) and is told to no model.
    notice TEXT NOT NULL DEFAULT '',
    expression TEXT NOT NULL,
    parts_sent INTEGER NOT NULL DEFAULT 0,
    search_text TEXT NOT NULL,
    visibility TEXT NOT NULL,
    audience TEXT NOT NULL,
    -- The audiences of what its reply repeats, as a JSON list, but for its own: it is told again
    -- only to whom all of them allow.
    carries TEXT NOT NULL DEFAULT '[]',
    error TEXT,
    -- When its request was made, which it says.
    asked_at INTEGER NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE INDEX turns_session ON turns (session_id, seq);
CREATE INDEX turns_person ON turns (person_id, at);
CREATE INDEX turns_unfound ON turns (seq) WHERE search_text = '' AND reply <> '';
CREATE INDEX turns_undelivered ON turns (seq) WHERE state = 'replied';
CREATE TRIGGER turns_lengthen_sessions AFTER INSERT ON turns BEGIN
    UPDATE sessions SET last_turn = new.seq WHERE id = new.session_id;
END;
CREATE VIRTUAL TABLE turns_fts USING fts5 (
    search_text, content = 'turns', content_rowid = 'seq', tokenize = 'unicode61'
);
CREATE TRIGGER turns_fts_insert AFTER INSERT ON turns BEGIN
    INSERT INTO turns_fts (rowid, search_text) VALUES (new.seq, new.search_text);
END;
CREATE TRIGGER turns_fts_update AFTER UPDATE OF search_text ON turns BEGIN
    INSERT INTO turns_fts (turns_fts, rowid, search_text)
    VALUES ('delete', old.seq, old.search_text);
    INSERT INTO turns_fts (rowid, search_text) VALUES (new.seq, new.search_text);
END;
CREATE TRIGGER turns_fts_delete AFTER DELETE ON turns BEGIN
    INSERT INTO turns_fts (turns_fts, rowid, search_text)
    VALUES ('delete', old.seq, old.search_text);
END;

-- The messages that the parts of a reply became on the platform that took them.
CREATE TABLE turn_parts (
    platform TEXT NOT NULL,
    external_id TEXT NOT NULL,
    turn_id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    -- What the platform says became of it: sent, delivered, read or failed.
    fate TEXT,
    fate_at INTEGER,
    PRIMARY KEY (platform, external_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX turn_parts_turn ON turn_parts (turn_id);

-- What the model asked for while it thought about a turn, and what it was told; never shown.
CREATE TABLE turn_tools (
    turn_id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    arguments TEXT NOT NULL,
    result TEXT NOT NULL,
    failed INTEGER NOT NULL,
    PRIMARY KEY (turn_id, position)
) STRICT, WITHOUT ROWID;

-- A stretch of one session's turns that facts are extracted from, all said to one audience.
-- What a turn was told of its room: messages that a person there would have read.
CREATE TABLE turn_room_lines (
    turn_id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    is_starter INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (turn_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX turn_room_lines_message ON turn_room_lines (message_id);

CREATE TABLE extraction_spans (
    session_id TEXT NOT NULL REFERENCES sessions (id),
    first_turn INTEGER NOT NULL,
    last_turn INTEGER NOT NULL,
    audience TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('claimed', 'stored', 'quarantined')),
    attempts INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    facts INTEGER NOT NULL DEFAULT 0,
    -- How often it was read before, in other words.
    reading INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (session_id, first_turn)
) STRICT, WITHOUT ROWID;
CREATE INDEX extraction_spans_open ON extraction_spans (state, session_id)
    WHERE state <> 'stored';

CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    platform TEXT NOT NULL,
    external_id TEXT NOT NULL,
    room_id TEXT NOT NULL REFERENCES rooms (id),
    person_id TEXT REFERENCES people (id),
    -- The account that it was written from, or that the pet answered: `platform:external_id`.
    account TEXT,
    author_kind TEXT NOT NULL CHECK (author_kind IN ('person', 'pet', 'system')),
    author TEXT NOT NULL,
    text TEXT NOT NULL,
    search_text TEXT NOT NULL,
    audience TEXT NOT NULL,
    reply_to TEXT,
    spaces TEXT NOT NULL,
    handling TEXT NOT NULL CHECK (handling IN ('kept', 'observed', 'pending', 'answered', 'stale')),
    turn_id TEXT REFERENCES turns (id),
    sent_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    edited_at INTEGER,
    deleted_at INTEGER,
    UNIQUE (platform, external_id)
) STRICT;
CREATE INDEX messages_room ON messages (room_id, sent_at);
CREATE INDEX messages_audience ON messages (audience, sent_at);
CREATE INDEX messages_person ON messages (person_id) WHERE author_kind = 'person';
CREATE INDEX messages_pending ON messages (id) WHERE handling = 'pending';
CREATE INDEX messages_replies ON messages (platform, reply_to) WHERE reply_to IS NOT NULL;
CREATE INDEX messages_turn ON messages (turn_id) WHERE turn_id IS NOT NULL;
CREATE VIRTUAL TABLE messages_fts USING fts5 (
    search_text, content = 'messages', content_rowid = 'id', tokenize = 'unicode61'
);
CREATE TRIGGER messages_fts_insert AFTER INSERT ON messages BEGIN
    INSERT INTO messages_fts (rowid, search_text) VALUES (new.id, new.search_text);
END;
CREATE TRIGGER messages_fts_update AFTER UPDATE OF search_text ON messages BEGIN
    INSERT INTO messages_fts (messages_fts, rowid, search_text)
    VALUES ('delete', old.id, old.search_text);
    INSERT INTO messages_fts (rowid, search_text) VALUES (new.id, new.search_text);
END;
CREATE TRIGGER messages_fts_delete AFTER DELETE ON messages BEGIN
    INSERT INTO messages_fts (messages_fts, rowid, search_text)
    VALUES ('delete', old.id, old.search_text);
END;

-- Emoji that people put to a message, each from an account under the name it had then.
CREATE TABLE reactions (
    message_id INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    emoji TEXT NOT NULL,
    account TEXT NOT NULL,
    name TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (message_id, emoji, account)
) STRICT, WITHOUT ROWID;
CREATE INDEX reactions_account ON reactions (account);

-- What a person asked to be told of later, in that room. Only an open one has its words: once it is
-- due they are those of a turn, which is delivered as any reply is. `zone` is the one its time is
-- told in.
CREATE TABLE reminders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    person_id TEXT NOT NULL REFERENCES people (id),
    account TEXT,
    room_id TEXT NOT NULL REFERENCES rooms (id),
    message_id INTEGER REFERENCES messages (id),
    audience TEXT NOT NULL,
    text TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    zone TEXT NOT NULL,
    locale TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'delivered', 'cancelled', 'dropped')),
    turn_id TEXT REFERENCES turns (id),
    created_at INTEGER NOT NULL,
    settled_at INTEGER,
    CHECK ((state = 'open') = (text <> ''))
) STRICT;
CREATE INDEX reminders_due ON reminders (due_at) WHERE state = 'open';
CREATE INDEX reminders_person ON reminders (person_id, due_at) WHERE state = 'open';
CREATE INDEX reminders_message ON reminders (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX reminders_turn ON reminders (turn_id) WHERE turn_id IS NOT NULL;

CREATE TABLE memories (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    store TEXT NOT NULL CHECK (store IN ('memory', 'self', 'goals')),
    content TEXT NOT NULL,
    search_text TEXT NOT NULL,
    memory_type TEXT NOT NULL,
    category TEXT,
    importance REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
    source TEXT NOT NULL,
    said_by TEXT,
    -- Whose claim it is, whatever they are called, and the account that it was made from.
    author_id TEXT REFERENCES people (id),
    account TEXT,
    about_person TEXT REFERENCES people (id),
    person_id TEXT REFERENCES people (id),
    room_id TEXT REFERENCES rooms (id),
    space TEXT NOT NULL,
    visibility TEXT NOT NULL CHECK (visibility IN ('private', 'space', 'room', 'everyone')),
    audience TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    last_accessed_at INTEGER,
    access_count INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER,
    -- When a sweep found it expired: nothing is deleted, and it can be brought back.
    archived_at INTEGER,
    -- It held from when it was said until what took its place was said; NULL while it holds.
    valid_from INTEGER NOT NULL,
    valid_until INTEGER,
    -- Where statements that may take each other's place meet: "city of person:…", "choice".
    slot TEXT,
    superseded_by TEXT REFERENCES memories (id),
    superseded_at INTEGER,
    -- Since when nothing finds it. Its words are gone then, but for what others said of somebody
    -- who had it muted: those are their author's, and are kept.
    forgotten_at INTEGER
) STRICT;
-- What a session began with: statements about the pet, and its wishes about the person.
CREATE TABLE session_statements (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    memory_id TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    PRIMARY KEY (session_id, memory_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_statements_memory ON session_statements (memory_id);
CREATE INDEX memories_recent ON memories (created_at)
    WHERE superseded_by IS NULL AND forgotten_at IS NULL;
CREATE INDEX memories_own ON memories (store, created_at)
    WHERE store <> 'memory' AND superseded_by IS NULL AND forgotten_at IS NULL;
CREATE INDEX memories_said ON memories (valid_from)
    WHERE superseded_by IS NULL AND forgotten_at IS NULL;
-- What was said when, for looking through what holds and what held at a moment. For that alone: only
-- a query that says `seq > 0` can go along it, so that no other leaves its own index for this one.
CREATE INDEX memories_held ON memories (store, valid_from) WHERE forgotten_at IS NULL AND seq > 0;
CREATE INDEX memories_category ON memories (store, category, created_at)
    WHERE category IS NOT NULL AND superseded_by IS NULL AND forgotten_at IS NULL;
CREATE INDEX memories_slot ON memories (slot, audience, valid_from) WHERE slot IS NOT NULL;
-- For the list of a type alone: only a query that names the store by its word can go along it.
CREATE INDEX memories_type ON memories (memory_type, created_at)
    WHERE store = 'memory' AND superseded_by IS NULL AND forgotten_at IS NULL;
CREATE INDEX memories_replaced ON memories (store, valid_until)
    WHERE superseded_by IS NOT NULL AND forgotten_at IS NULL;
CREATE INDEX memories_heirs ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_person ON memories (person_id) WHERE person_id IS NOT NULL;
CREATE INDEX memories_author ON memories (author_id) WHERE author_id IS NOT NULL;
CREATE INDEX memories_about ON memories (about_person) WHERE about_person IS NOT NULL;
CREATE INDEX memories_expiring ON memories (expires_at)
    WHERE expires_at IS NOT NULL AND archived_at IS NULL AND forgotten_at IS NULL;
CREATE INDEX memories_archived ON memories (archived_at)
    WHERE archived_at IS NOT NULL AND superseded_by IS NULL AND forgotten_at IS NULL;
CREATE VIRTUAL TABLE memories_fts USING fts5 (
    search_text, content = 'memories', content_rowid = 'seq', tokenize = 'unicode61'
);
CREATE TRIGGER memories_fts_insert AFTER INSERT ON memories BEGIN
    INSERT INTO memories_fts (rowid, search_text) VALUES (new.seq, new.search_text);
END;
CREATE TRIGGER memories_fts_update AFTER UPDATE OF search_text ON memories BEGIN
    INSERT INTO memories_fts (memories_fts, rowid, search_text)
    VALUES ('delete', old.seq, old.search_text);
    INSERT INTO memories_fts (rowid, search_text) VALUES (new.seq, new.search_text);
END;
CREATE TRIGGER memories_fts_delete AFTER DELETE ON memories BEGIN
    INSERT INTO memories_fts (memories_fts, rowid, search_text)
    VALUES ('delete', old.seq, old.search_text);
END;

CREATE TABLE memory_subjects (
    memory_id TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    subject TEXT NOT NULL,
    -- Repeated here, so that what matters about somebody is found from one index.
    store TEXT NOT NULL,
    importance REAL NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (memory_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_subjects_subject
    ON memory_subjects (subject COLLATE NOCASE, store, importance, updated_at);
CREATE TRIGGER memory_subjects_follow AFTER UPDATE OF importance, updated_at ON memories
WHEN new.importance <> old.importance OR new.updated_at <> old.updated_at BEGIN
    UPDATE memory_subjects SET importance = new.importance, updated_at = new.updated_at
    WHERE memory_id = new.id;
END;

CREATE VIRTUAL TABLE memories_terms USING fts5vocab (memories_fts, row);
CREATE VIRTUAL TABLE messages_terms USING fts5vocab (messages_fts, row);
CREATE VIRTUAL TABLE turns_terms USING fts5vocab (turns_fts, row);

CREATE VIEW active_memories AS
SELECT m.*, (
    SELECT json_group_array(s.subject) FROM memory_subjects AS s WHERE s.memory_id = m.id
) AS subjects
FROM memories AS m
WHERE m.superseded_by IS NULL AND m.forgotten_at IS NULL;

-- What recall weighs of a statement; the subjects as one text, with unit separators between them.
CREATE VIEW recalled_memories AS
SELECT m.seq, m.id, m.store, m.revision, m.content, m.category, m.importance, m.said_by,
    m.author_id, m.about_person, m.room_id,
    m.memory_type, m.search_text, m.access_count, m.audience, m.created_at, m.updated_at,
    m.valid_from, m.expires_at, (
        SELECT group_concat(s.subject, char(31)) FROM memory_subjects AS s WHERE s.memory_id = m.id
    ) AS subject_list
FROM memories AS m
WHERE m.superseded_by IS NULL AND m.forgotten_at IS NULL;

-- What held once too, for asking what was so at a time.
CREATE VIEW kept_memories AS
SELECT m.*, (
    SELECT json_group_array(s.subject) FROM memory_subjects AS s WHERE s.memory_id = m.id
) AS subjects
FROM memories AS m
WHERE m.forgotten_at IS NULL;

-- What is searchable beside statements: summaries, core facts and notes, one row each. The tables
-- of each kind refer to it. A row with `retired_at` is found no more and kept as history.
CREATE TABLE knowledge (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('summary', 'fact', 'note')),
    title TEXT NOT NULL,
    content TEXT NOT NULL,
    search_text TEXT NOT NULL,
    channel TEXT NOT NULL,
    about_person TEXT REFERENCES people (id),
    person_id TEXT REFERENCES people (id),
    account TEXT,
    room_id TEXT REFERENCES rooms (id),
    space TEXT NOT NULL,
    visibility TEXT NOT NULL CHECK (visibility IN ('private', 'space', 'room', 'everyone')),
    audience TEXT NOT NULL,
    -- What the exchanges behind a summary carry, see `turns`.
    carries TEXT NOT NULL DEFAULT '[]',
    since INTEGER,
    at INTEGER NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL,
    retired_at INTEGER
) STRICT;
CREATE INDEX knowledge_about ON knowledge (about_person, kind, at) WHERE about_person IS NOT NULL;
CREATE INDEX knowledge_kind ON knowledge (kind, at);
CREATE VIRTUAL TABLE knowledge_fts USING fts5 (
    search_text, content = 'knowledge', content_rowid = 'seq', tokenize = 'unicode61'
);
CREATE TRIGGER knowledge_fts_insert AFTER INSERT ON knowledge BEGIN
    INSERT INTO knowledge_fts (rowid, search_text) VALUES (new.seq, new.search_text);
END;
CREATE TRIGGER knowledge_fts_update AFTER UPDATE OF search_text ON knowledge BEGIN
    INSERT INTO knowledge_fts (knowledge_fts, rowid, search_text)
    VALUES ('delete', old.seq, old.search_text);
    INSERT INTO knowledge_fts (rowid, search_text) VALUES (new.seq, new.search_text);
END;
CREATE TRIGGER knowledge_fts_delete AFTER DELETE ON knowledge BEGIN
    INSERT INTO knowledge_fts (knowledge_fts, rowid, search_text)
    VALUES ('delete', old.seq, old.search_text);
END;
CREATE VIRTUAL TABLE knowledge_terms USING fts5vocab (knowledge_fts, row);

-- Checkpoints: what left the window of a conversation. Level 0 stands for the turns of its session
-- from `first_seq` to `last_seq`, a level above for the summaries that were rolled into it. A row
-- is added when the window moves on and goes only when what it tells of is forgotten.
CREATE TABLE summaries (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id),
    level INTEGER NOT NULL,
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('summarised', 'unsummarised', 'empty')),
    knowledge_id TEXT REFERENCES knowledge (id),
    attempts INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    tokens INTEGER NOT NULL DEFAULT 0,
    tried_at INTEGER,
    created_at INTEGER NOT NULL,
    rolled_into TEXT REFERENCES summaries (id),
    UNIQUE (session_id, level, first_seq),
    CHECK ((state = 'summarised') = (knowledge_id IS NOT NULL)),
    CHECK (knowledge_id = id)
) STRICT;
CREATE INDEX summaries_knowledge ON summaries (knowledge_id) WHERE knowledge_id IS NOT NULL;
CREATE INDEX summaries_rolled ON summaries (rolled_into) WHERE rolled_into IS NOT NULL;
CREATE INDEX summaries_unsummarised ON summaries (tried_at) WHERE state = 'unsummarised';

-- What holds of a person, as they said it themselves before one audience: a value of a key, in
-- force until another took its place. Its row of knowledge is found for as long.
CREATE TABLE core_facts (
    id TEXT PRIMARY KEY REFERENCES knowledge (id),
    person_id TEXT NOT NULL REFERENCES people (id),
    audience TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    valid_from INTEGER NOT NULL,
    valid_until INTEGER,
    memory_id TEXT NOT NULL REFERENCES memories (id)
) STRICT;
CREATE INDEX core_facts_person ON core_facts (person_id, key, audience);
CREATE INDEX core_facts_memory ON core_facts (memory_id);
-- Whoever writes: a core fact goes with the statement behind it.
CREATE TRIGGER core_facts_follow AFTER UPDATE OF superseded_by, forgotten_at ON memories
WHEN (new.superseded_by IS NOT NULL OR new.forgotten_at IS NOT NULL)
    AND old.superseded_by IS NULL AND old.forgotten_at IS NULL BEGIN
    INSERT INTO index_outbox (collection, point_id)
    SELECT 'knowledge', id FROM core_facts WHERE memory_id = new.id;
    DELETE FROM embeddings WHERE collection = 'knowledge'
        AND point_id IN (SELECT id FROM core_facts WHERE memory_id = new.id);
    UPDATE knowledge
    SET retired_at = coalesce(new.forgotten_at, new.superseded_at), revision = revision + 1
    WHERE retired_at IS NULL AND id IN (SELECT id FROM core_facts WHERE memory_id = new.id);
    UPDATE core_facts
    SET valid_until = max(valid_from, coalesce(new.valid_until, new.forgotten_at, new.superseded_at))
    WHERE memory_id = new.id AND valid_until IS NULL;
END;

-- A core fact is what its person said; the rest of knowledge is no one's claim.
CREATE VIEW recalled_knowledge AS
SELECT k.*, iif(k.kind = 'fact', (
    SELECT m.said_by FROM core_facts AS c JOIN memories AS m ON m.id = c.memory_id WHERE c.id = k.id
), NULL) AS said_by
FROM knowledge AS k;

-- The notes of a vault that were read, and the pieces of each that are knowledge. `etag` says which
-- version was read, for whom and how it was cut. A piece that was forgotten is not here.
CREATE TABLE notes (
    vault TEXT NOT NULL,
    path TEXT NOT NULL,
    etag TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('kept', 'too large')),
    refused INTEGER NOT NULL,
    synced_at INTEGER NOT NULL,
    PRIMARY KEY (vault, path)
) STRICT, WITHOUT ROWID;
CREATE TABLE note_pieces (
    knowledge_id TEXT PRIMARY KEY REFERENCES knowledge (id) ON DELETE CASCADE,
    vault TEXT NOT NULL,
    path TEXT NOT NULL,
    position INTEGER NOT NULL,
    FOREIGN KEY (vault, path) REFERENCES notes (vault, path) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX note_pieces_note ON note_pieces (vault, path, position);
CREATE INDEX note_pieces_path ON note_pieces (path, position);
-- When a vault was read last, and since when it cannot be.
CREATE TABLE note_vaults (
    vault TEXT PRIMARY KEY,
    refreshed_at INTEGER,
    trouble TEXT,
    troubled_since INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_sources (
    memory_id TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    message_id INTEGER NOT NULL REFERENCES messages (id),
    PRIMARY KEY (memory_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_sources_message ON memory_sources (message_id);
-- Lines of which something was learnt that was put right since by hand: by what no line says.
CREATE VIEW put_right_lines AS
SELECT s.message_id FROM memory_sources AS s
CROSS JOIN memories AS wrong ON wrong.id = s.memory_id
WHERE wrong.superseded_by IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM memory_sources AS own CROSS JOIN messages AS g ON g.id = own.message_id
    WHERE own.memory_id = wrong.superseded_by AND g.handling <> 'kept'
);

CREATE TABLE associations (
    seq INTEGER PRIMARY KEY,
    from_id TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    to_id TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    relation TEXT NOT NULL CHECK (relation IN (
        'related_to', 'updates', 'contradicts', 'caused_by', 'result_of', 'part_of'
    )),
    weight REAL NOT NULL CHECK (weight > 0 AND weight <= 1),
    origin TEXT NOT NULL CHECK (origin IN ('write', 'pass')),
    created_at INTEGER NOT NULL,
    UNIQUE (from_id, to_id, relation),
    CHECK (from_id <> to_id)
) STRICT;
CREATE INDEX associations_to ON associations (to_id, relation);
-- Whoever writes: what one audience may know never leads to what another said.
CREATE TRIGGER associations_stay_inside BEFORE INSERT ON associations
WHEN (SELECT audience FROM memories WHERE id = new.from_id)
    IS NOT (SELECT audience FROM memories WHERE id = new.to_id)
BEGIN
    SELECT RAISE(ABORT, 'an association across audiences');
END;
CREATE TRIGGER associations_stay_put BEFORE UPDATE OF from_id, to_id ON associations BEGIN
    SELECT RAISE(ABORT, 'an association is not moved');
END;

-- One row says that `name` (folded words) is a person's, or another name of the same one (then
-- there is a row for either way round). It holds in one audience; a row with a memory holds as
-- long as that memory is recalled, one without it was read from who spoke.
CREATE TABLE aliases (
    name TEXT NOT NULL,
    spelling TEXT NOT NULL,
    person_id TEXT REFERENCES people (id),
    other TEXT,
    audience TEXT NOT NULL,
    memory_id TEXT REFERENCES memories (id) ON DELETE CASCADE,
    CHECK ((person_id IS NULL) <> (other IS NULL))
) STRICT;
CREATE INDEX aliases_name ON aliases (name, audience);
CREATE INDEX aliases_person ON aliases (person_id, audience) WHERE person_id IS NOT NULL;
CREATE INDEX aliases_memory ON aliases (memory_id) WHERE memory_id IS NOT NULL;
CREATE UNIQUE INDEX aliases_spoken ON aliases (name, person_id, audience) WHERE memory_id IS NULL;

-- Two statements that say the same, for whoever looks after the pet to decide; once for each two.
CREATE TABLE proposals (
    id INTEGER PRIMARY KEY,
    keep_id TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    drop_id TEXT NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    why TEXT NOT NULL,
    similarity REAL,
    state TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'dismissed')),
    proposed_at INTEGER NOT NULL,
    decided_at INTEGER,
    decided_by TEXT,
    CHECK (keep_id <> drop_id)
) STRICT;
CREATE UNIQUE INDEX proposals_two ON proposals (min(keep_id, drop_id), max(keep_id, drop_id));
CREATE INDEX proposals_open ON proposals (id) WHERE state = 'open';

CREATE TABLE digests (
    id TEXT PRIMARY KEY,
    slot TEXT UNIQUE,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    messages INTEGER NOT NULL DEFAULT 0,
    facts INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX digests_started ON digests (started_at, id);
-- NULLs are never equal to each other, so it is their being NULL that is unique.
CREATE UNIQUE INDEX digests_one_open ON digests ((finished_at IS NULL)) WHERE finished_at IS NULL;

CREATE TABLE digest_chunks (
    digest_id TEXT NOT NULL REFERENCES digests (id),
    position INTEGER NOT NULL,
    room_id TEXT NOT NULL REFERENCES rooms (id),
    audience TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('claimed', 'stored', 'quarantined')),
    attempts INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    -- The messages it was made of, as a JSON list: they are live no more once they are read.
    lines TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (digest_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE live_messages (
    message_id INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    digest_id TEXT REFERENCES digests (id),
    position INTEGER,
    quarantined_at INTEGER
) STRICT;
CREATE INDEX live_messages_claimed ON live_messages (digest_id, position)
    WHERE digest_id IS NOT NULL;

CREATE TABLE embeddings (
    collection TEXT NOT NULL,
    point_id TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    -- A hash of the vector: the lowest ones are a sample that depends on nothing else.
    spot INTEGER NOT NULL,
    vector BLOB NOT NULL,
    -- While another embedder takes over, an entry has an embedding of both.
    PRIMARY KEY (collection, point_id, fingerprint)
) STRICT;
-- For the sample alone: only a query that says `spot >= 0` can go along this index. Were it open to
-- all, asking for a few ids of one fingerprint would walk the whole collection: to the planner two
-- columns known look better than one column and a list.
CREATE INDEX embeddings_sample ON embeddings (collection, fingerprint, spot, point_id)
    WHERE spot >= 0;

CREATE TABLE index_outbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    collection TEXT NOT NULL,
    point_id TEXT NOT NULL
) STRICT;

CREATE TABLE memory_retrievals (
    id INTEGER PRIMARY KEY,
    turn_id TEXT REFERENCES turns (id),
    query TEXT NOT NULL,
    reason TEXT NOT NULL,
    considered INTEGER NOT NULL,
    late TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    took_ms REAL NOT NULL,
    created_at INTEGER NOT NULL,
    trimmed_at INTEGER
) STRICT;
CREATE INDEX memory_retrievals_turn ON memory_retrievals (turn_id);
CREATE INDEX memory_retrievals_untrimmed ON memory_retrievals (created_at)
    WHERE trimmed_at IS NULL;

CREATE TABLE memory_retrieval_items (
    retrieval_id INTEGER NOT NULL REFERENCES memory_retrievals (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    section TEXT NOT NULL,
    ref TEXT NOT NULL,
    sources TEXT NOT NULL,
    signals TEXT NOT NULL,
    score REAL NOT NULL,
    worth REAL NOT NULL,
    confidence REAL NOT NULL,
    -- Whether it needed no evidence, and whether another row stood for it.
    proven INTEGER NOT NULL,
    duplicate INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    reason TEXT NOT NULL,
    -- What a person said of it, once it was injected: of use (1) or not (0).
    useful INTEGER CHECK (useful IN (0, 1)),
    PRIMARY KEY (retrieval_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_retrieval_items_shown ON memory_retrieval_items (ref)
    WHERE kept = 1 OR reason IN ('in the window', 'said in the window');

CREATE INDEX memory_retrieval_items_labelled ON memory_retrieval_items (retrieval_id)
    WHERE useful IS NOT NULL;

CREATE TABLE llm_usage (
    id INTEGER PRIMARY KEY,
    purpose TEXT NOT NULL,
    model TEXT NOT NULL,
    person_id TEXT,
    -- The community and the room it was for, of what people are answered with.
    space TEXT,
    room_id TEXT,
    outcome TEXT NOT NULL,
    -- 1 where it began an answer.
    answers INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    injected_tokens INTEGER NOT NULL,
    -- What its size was taken for before the provider counted.
    estimated_tokens INTEGER NOT NULL,
    -- In billionths of a dollar, at the price of that day; 0 without a known price.
    cost INTEGER NOT NULL,
    took_ms REAL NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX llm_usage_day ON llm_usage (created_at, purpose);

-- What people's labels of recalled lines came to; figures only, no words.
CREATE TABLE evaluations (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    ranking TEXT NOT NULL,
    questions INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    precision REAL NOT NULL,
    helped REAL NOT NULL,
    mrr REAL NOT NULL
) STRICT;

-- One forgetting, from its preview to its purge. `selector` says in JSON what was chosen and is
-- emptied by the undoing and by the purge: what stays is a receipt without words and without names.
-- `after_message` is the last message there was when it was asked for, `mandate` the right by which
-- (memory/model/authority.py), and `manages` the community of a manager who commanded it.
CREATE TABLE forgettings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    state TEXT NOT NULL CHECK (state IN ('previewed', 'forgotten', 'undone', 'purging', 'purged')),
    kinds TEXT NOT NULL,
    selector TEXT NOT NULL,
    token TEXT NOT NULL,
    -- The rows of each line that a preview showed, in order: a list of lists of ids.
    shown TEXT NOT NULL DEFAULT '[]',
    person_id TEXT REFERENCES people (id),
    mandate TEXT NOT NULL CHECK (mandate IN ('own', 'space', 'pet')),
    manages TEXT,
    -- The scope of whoever asked, as a list of audiences; NULL for whoever runs the pet.
    audiences TEXT,
    after_message INTEGER NOT NULL,
    counts TEXT NOT NULL,
    previewed_at INTEGER NOT NULL,
    forgotten_at INTEGER,
    undone_at INTEGER,
    purged_at INTEGER
) STRICT;
CREATE INDEX forgettings_open ON forgettings (state, forgotten_at)
    WHERE state IN ('previewed', 'forgotten', 'purging');

-- What the transaction of a forgetting changed, row by row, so that it can be played backwards.
CREATE TABLE forgetting_rows (
    position INTEGER PRIMARY KEY,
    forgetting_id INTEGER NOT NULL REFERENCES forgettings (id),
    tbl TEXT NOT NULL,
    action TEXT NOT NULL CHECK (action IN ('insert', 'update', 'delete')),
    before TEXT,
    after TEXT
) STRICT;
CREATE INDEX forgetting_rows_of ON forgetting_rows (forgetting_id, position);

-- What is not learned again: keyed hashes of what was forgotten, and no text. `stems` is how many.
CREATE TABLE tombstones (
    id INTEGER PRIMARY KEY,
    forgetting_id INTEGER NOT NULL REFERENCES forgettings (id),
    kind TEXT NOT NULL,
    audience TEXT NOT NULL,
    content INTEGER NOT NULL,
    stems INTEGER NOT NULL,
    telling TEXT NOT NULL,
    forgotten_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tombstones_of ON tombstones (forgetting_id);
CREATE INDEX tombstones_for ON tombstones (audience, forgotten_at);
CREATE TABLE tombstone_stems (
    stem INTEGER NOT NULL,
    tombstone_id INTEGER NOT NULL REFERENCES tombstones (id) ON DELETE CASCADE,
    PRIMARY KEY (stem, tombstone_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstone_stems_of ON tombstone_stems (tombstone_id);

-- Values that were forgotten with a text, as keyed hashes: what repeats one is masked when it comes
-- in, until `person_id`, whose words they were, says it anew.
CREATE TABLE value_marks (
    audience TEXT NOT NULL,
    mark INTEGER NOT NULL,
    forgetting_id INTEGER NOT NULL REFERENCES forgettings (id),
    person_id TEXT,
    PRIMARY KEY (audience, mark, forgetting_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX value_marks_of ON value_marks (forgetting_id);

-- What lost its words or was muted, in order and without words, so that a backup of before can follow.
-- What has its words back is entered again. Whoever writes: triggers see every way there is.
CREATE TABLE erasures (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN (
        'message', 'turn', 'memory', 'muted', 'knowledge', 'account', 'unobserved', 'tombstone',
        'value', 'reminder'
    )),
    key TEXT NOT NULL,
    erased INTEGER NOT NULL
) STRICT;
CREATE INDEX erasures_key ON erasures (kind, key);
CREATE TRIGGER messages_erased AFTER UPDATE OF text ON messages WHEN old.text <> new.text BEGIN
    INSERT INTO erasures (kind, key, erased) VALUES ('message', new.id, old.text <> '');
END;
CREATE TRIGGER turns_erased AFTER UPDATE OF text, reply, recalled ON turns
WHEN length(new.text) <> length(old.text) OR (new.reply = '') <> (old.reply = '')
    OR (new.recalled = '[]') <> (old.recalled = '[]') BEGIN
    INSERT INTO erasures (kind, key, erased) VALUES (
        'turn', new.id, length(new.text) < length(old.text) OR new.reply = '' AND old.reply <> ''
            OR new.recalled = '[]' AND old.recalled <> '[]'
    );
END;
CREATE TRIGGER memories_erased AFTER UPDATE OF content ON memories
WHEN (new.content = '') <> (old.content = '') BEGIN
    INSERT INTO erasures (kind, key, erased) VALUES ('memory', new.id, new.content = '');
END;
-- Recalled no more, with its words: what a backup of before is to let it be, too.
CREATE TRIGGER memories_muted AFTER UPDATE OF forgotten_at ON memories
WHEN (new.forgotten_at IS NULL) <> (old.forgotten_at IS NULL)
    AND new.content <> '' AND old.content <> '' BEGIN
    INSERT INTO erasures (kind, key, erased)
    VALUES ('muted', new.id, new.forgotten_at IS NOT NULL);
END;
CREATE TRIGGER memories_deleted AFTER DELETE ON memories BEGIN
    INSERT INTO erasures (kind, key, erased) VALUES ('memory', old.id, 1);
END;
CREATE TRIGGER memories_back AFTER INSERT ON memories
WHEN EXISTS (SELECT 1 FROM erasures WHERE kind = 'memory' AND key = new.id) BEGIN
    INSERT INTO erasures (kind, key, erased) VALUES ('memory', new.id, 0);
END;
CREATE TRIGGER knowledge_erased AFTER UPDATE OF content ON knowledge
WHEN (new.content = '') <> (old.content = '') BEGIN
    INSERT INTO erasures (kind, key, erased) VALUES ('knowledge', new.id, new.content = '');
END;
CREATE TRIGGER knowledge_deleted AFTER DELETE ON knowledge BEGIN
    INSERT INTO erasures (kind, key, erased) VALUES ('knowledge', old.id, 1);
END;
CREATE TRIGGER knowledge_back AFTER INSERT ON knowledge
WHEN EXISTS (SELECT 1 FROM erasures WHERE kind = 'knowledge' AND key = new.id) BEGIN
    INSERT INTO erasures (kind, key, erased) VALUES ('knowledge', new.id, 0);
END;
-- One that was delivered since is none that a backup of before is to deliver again.
CREATE TRIGGER reminders_erased AFTER UPDATE OF text ON reminders
WHEN (new.text = '') <> (old.text = '') BEGIN
    INSERT INTO erasures (kind, key, erased) VALUES ('reminder', new.key, new.text = '');
END;
-- An account that goes by no name any more: PSEUDONYM of memory/model/people.py.
CREATE TRIGGER identities_erased AFTER UPDATE OF name ON identities
WHEN (new.name = 'someone') <> (old.name = 'someone') BEGIN
    INSERT INTO erasures (kind, key, erased)
    VALUES ('account', new.platform || ':' || new.external_id, new.name = 'someone');
END;
-- Nor is anybody read along with who did not want it: people are known by accounts, which stay.
CREATE TRIGGER people_unobserved AFTER UPDATE OF observed ON people
WHEN new.observed <> old.observed BEGIN
    INSERT INTO erasures (kind, key, erased)
    SELECT 'unobserved', platform || ':' || external_id, NOT new.observed
    FROM identities WHERE person_id = new.id;
END;
CREATE TRIGGER tombstones_put_up AFTER INSERT ON tombstones BEGIN
    INSERT INTO erasures (kind, key, erased) VALUES ('tombstone', new.id, 1);
END;
-- A mark of a value is all key: for whom, the keyed hash, of which forgetting, whose.
CREATE TRIGGER value_marks_put_up AFTER INSERT ON value_marks BEGIN
    INSERT INTO erasures (kind, key, erased) VALUES (
        'value', json_array(new.audience, new.mark, new.forgetting_id, new.person_id), 1
    );
END;
CREATE TRIGGER value_marks_taken_away AFTER DELETE ON value_marks BEGIN
    INSERT INTO erasures (kind, key, erased) VALUES (
        'value', json_array(old.audience, old.mark, old.forgetting_id, old.person_id), 0
    );
END;
CREATE TRIGGER tombstones_taken_away AFTER DELETE ON tombstones BEGIN
    INSERT INTO erasures (kind, key, erased) VALUES ('tombstone', old.id, 0);
END;

-- Whoever writes, and whenever they began to: nothing is added to a person who was joined to another
-- one, it is the other's at once. Work under way keeps the id that it began with.
CREATE TRIGGER identities_to_heirs AFTER INSERT ON identities
WHEN EXISTS (SELECT 1 FROM merged_people WHERE id IN (new.person_id)) BEGIN
    UPDATE identities SET
        person_id = coalesce((SELECT survivor FROM merged_people WHERE id = new.person_id), person_id)
    WHERE platform = new.platform AND external_id = new.external_id;
END;
CREATE TRIGGER sessions_to_heirs AFTER INSERT ON sessions
WHEN EXISTS (SELECT 1 FROM merged_people WHERE id IN (new.person_id)) BEGIN
    UPDATE sessions SET
        person_id = coalesce((SELECT survivor FROM merged_people WHERE id = new.person_id), person_id)
    WHERE id = new.id;
END;
CREATE TRIGGER turns_to_heirs AFTER INSERT ON turns
WHEN EXISTS (SELECT 1 FROM merged_people WHERE id IN (new.person_id, substr(new.audience, 8))) BEGIN
    UPDATE turns SET
        person_id = coalesce((SELECT survivor FROM merged_people WHERE id = new.person_id), person_id),
        audience = coalesce((
            SELECT survivor_audience FROM merged_people
            WHERE id = substr(new.audience, 8) AND audience = new.audience
        ), audience)
    WHERE seq = new.seq;
END;
CREATE TRIGGER messages_to_heirs AFTER INSERT ON messages
WHEN EXISTS (SELECT 1 FROM merged_people WHERE id IN (new.person_id, substr(new.audience, 8))) BEGIN
    UPDATE messages SET
        person_id = coalesce((SELECT survivor FROM merged_people WHERE id = new.person_id), person_id),
        audience = coalesce((
            SELECT survivor_audience FROM merged_people
            WHERE id = substr(new.audience, 8) AND audience = new.audience
        ), audience)
    WHERE id = new.id;
END;
CREATE TRIGGER reminders_to_heirs AFTER INSERT ON reminders
WHEN EXISTS (SELECT 1 FROM merged_people WHERE id IN (new.person_id, substr(new.audience, 8))) BEGIN
    UPDATE reminders SET
        person_id = coalesce((SELECT survivor FROM merged_people WHERE id = new.person_id), person_id),
        audience = coalesce((
            SELECT survivor_audience FROM merged_people
            WHERE id = substr(new.audience, 8) AND audience = new.audience
        ), audience)
    WHERE id = new.id;
END;
CREATE TRIGGER memories_to_heirs AFTER INSERT ON memories
WHEN EXISTS (
    SELECT 1 FROM merged_people
    WHERE id IN (new.author_id, new.about_person, new.person_id, substr(new.audience, 8))
) BEGIN
    UPDATE memories SET
        author_id = coalesce((SELECT survivor FROM merged_people WHERE id = new.author_id), author_id),
        slot = coalesce((
            SELECT replace(slot, audience, survivor_audience) FROM merged_people
            WHERE instr(slot, audience) > 0
        ), slot),
        about_person = coalesce((SELECT survivor FROM merged_people WHERE id = new.about_person), about_person),
        person_id = coalesce((SELECT survivor FROM merged_people WHERE id = new.person_id), person_id),
        audience = coalesce((
            SELECT survivor_audience FROM merged_people
            WHERE id = substr(new.audience, 8) AND audience = new.audience
        ), audience)
    WHERE seq = new.seq;
END;
CREATE TRIGGER knowledge_to_heirs AFTER INSERT ON knowledge
WHEN EXISTS (SELECT 1 FROM merged_people WHERE id IN (new.about_person, new.person_id, substr(new.audience, 8))) BEGIN
    UPDATE knowledge SET
        about_person = coalesce((SELECT survivor FROM merged_people WHERE id = new.about_person), about_person),
        person_id = coalesce((SELECT survivor FROM merged_people WHERE id = new.person_id), person_id),
        audience = coalesce((
            SELECT survivor_audience FROM merged_people
            WHERE id = substr(new.audience, 8) AND audience = new.audience
        ), audience)
    WHERE seq = new.seq;
END;
CREATE TRIGGER knowledge_back_to_heirs AFTER UPDATE OF about_person, person_id, audience ON knowledge
WHEN EXISTS (SELECT 1 FROM merged_people WHERE id IN (new.about_person, new.person_id, substr(new.audience, 8))) BEGIN
    UPDATE knowledge SET
        about_person = coalesce((SELECT survivor FROM merged_people WHERE id = new.about_person), about_person),
        person_id = coalesce((SELECT survivor FROM merged_people WHERE id = new.person_id), person_id),
        audience = coalesce((
            SELECT survivor_audience FROM merged_people
            WHERE id = substr(new.audience, 8) AND audience = new.audience
        ), audience)
    WHERE seq = new.seq;
END;
CREATE TRIGGER core_facts_to_heirs AFTER INSERT ON core_facts
WHEN EXISTS (SELECT 1 FROM merged_people WHERE id IN (new.person_id, substr(new.audience, 8))) BEGIN
    UPDATE core_facts SET
        person_id = coalesce((SELECT survivor FROM merged_people WHERE id = new.person_id), person_id),
        audience = coalesce((
            SELECT survivor_audience FROM merged_people
            WHERE id = substr(new.audience, 8) AND audience = new.audience
        ), audience)
    WHERE id = new.id;
END;
-- A name that the other is known by already is not kept twice.
CREATE TRIGGER aliases_to_heirs AFTER INSERT ON aliases
WHEN EXISTS (SELECT 1 FROM merged_people WHERE id IN (new.person_id, substr(new.audience, 8))) BEGIN
    INSERT OR IGNORE INTO aliases (name, spelling, person_id, other, audience, memory_id)
    VALUES (
        new.name, new.spelling,
        coalesce((SELECT survivor FROM merged_people WHERE id = new.person_id), new.person_id),
        new.other,
        coalesce((
            SELECT survivor_audience FROM merged_people
            WHERE id = substr(new.audience, 8) AND audience = new.audience
        ), new.audience),
        new.memory_id
    );
    DELETE FROM aliases WHERE rowid = new.rowid;
END;
CREATE TRIGGER llm_usage_to_heirs AFTER INSERT ON llm_usage
WHEN EXISTS (SELECT 1 FROM merged_people WHERE id IN (new.person_id)) BEGIN
    UPDATE llm_usage SET
        person_id = coalesce((SELECT survivor FROM merged_people WHERE id = new.person_id), person_id)
    WHERE id = new.id;
END;
-- What was begun while an account was another person's is its owner's at once, as above.
CREATE TRIGGER messages_to_owners AFTER INSERT ON messages
WHEN new.account IS NOT NULL AND EXISTS (
    SELECT 1 FROM identities
    WHERE platform = substr(new.account, 1, instr(new.account, ':') - 1)
        AND external_id = substr(new.account, instr(new.account, ':') + 1)
        AND person_id <> new.person_id
) BEGIN
    UPDATE messages SET
        person_id = owner.person_id,
        audience = iif(
            new.audience = 'person:' || new.person_id, 'person:' || owner.person_id, audience
        )
    FROM (
        SELECT person_id FROM identities
        WHERE platform = substr(new.account, 1, instr(new.account, ':') - 1)
            AND external_id = substr(new.account, instr(new.account, ':') + 1)
    ) AS owner
    WHERE messages.id = new.id;
END;
CREATE TRIGGER turns_to_owners AFTER INSERT ON turns
WHEN new.account IS NOT NULL AND EXISTS (
    SELECT 1 FROM identities
    WHERE platform = substr(new.account, 1, instr(new.account, ':') - 1)
        AND external_id = substr(new.account, instr(new.account, ':') + 1)
        AND person_id <> new.person_id
) BEGIN
    UPDATE turns SET
        person_id = owner.person_id,
        audience = iif(
            new.audience = 'person:' || new.person_id, 'person:' || owner.person_id, audience
        )
    FROM (
        SELECT person_id FROM identities
        WHERE platform = substr(new.account, 1, instr(new.account, ':') - 1)
            AND external_id = substr(new.account, instr(new.account, ':') + 1)
    ) AS owner
    WHERE turns.seq = new.seq;
END;
CREATE TRIGGER reminders_to_owners AFTER INSERT ON reminders
WHEN new.account IS NOT NULL AND EXISTS (
    SELECT 1 FROM identities
    WHERE platform = substr(new.account, 1, instr(new.account, ':') - 1)
        AND external_id = substr(new.account, instr(new.account, ':') + 1)
        AND person_id <> new.person_id
) BEGIN
    UPDATE reminders SET
        person_id = owner.person_id,
        audience = iif(
            new.audience = 'person:' || new.person_id, 'person:' || owner.person_id, audience
        )
    FROM (
        SELECT person_id FROM identities
        WHERE platform = substr(new.account, 1, instr(new.account, ':') - 1)
            AND external_id = substr(new.account, instr(new.account, ':') + 1)
    ) AS owner
    WHERE reminders.id = new.id;
END;
CREATE TRIGGER memories_to_owners AFTER INSERT ON memories
WHEN new.account IS NOT NULL AND EXISTS (
    SELECT 1 FROM identities
    WHERE platform = substr(new.account, 1, instr(new.account, ':') - 1)
        AND external_id = substr(new.account, instr(new.account, ':') + 1)
        AND person_id <> new.author_id
) BEGIN
    UPDATE memories SET
        author_id = owner.person_id,
        person_id = iif(new.person_id = new.author_id, owner.person_id, memories.person_id),
        about_person = iif(new.about_person = new.author_id, owner.person_id, about_person),
        slot = iif(
            new.about_person = new.author_id,
            replace(new.slot, 'person:' || new.author_id, 'person:' || owner.person_id), slot
        ),
        audience = iif(
            new.audience = 'person:' || new.author_id, 'person:' || owner.person_id, audience
        )
    FROM (
        SELECT person_id FROM identities
        WHERE platform = substr(new.account, 1, instr(new.account, ':') - 1)
            AND external_id = substr(new.account, instr(new.account, ':') + 1)
    ) AS owner
    WHERE memories.seq = new.seq;
END;
