-- name: counts
SELECT
    (SELECT count(*) FROM messages) AS messages,
    (SELECT count(*) FROM messages_fts_docsize) AS messages_fts,
    (SELECT count(*) FROM memories) AS memories,
    (SELECT count(*) FROM memories_fts_docsize) AS memories_fts,
    (SELECT count(*) FROM associations) AS associations,
    (SELECT count(*) FROM turns) AS turns,
    (SELECT count(*) FROM turns_fts_docsize) AS turns_fts,
    (SELECT count(*) FROM knowledge) AS knowledge,
    (SELECT count(*) FROM knowledge_fts_docsize) AS knowledge_fts,
    (SELECT count(*) FROM live_messages) AS live,
    (SELECT count(*) FROM people WHERE merged_into IS NULL) AS people,
    (SELECT count(*) FROM embeddings) AS embeddings,
    (SELECT count(*) FROM index_outbox) AS outbox

-- name: quick_check
PRAGMA quick_check(5)

-- name: foreign_keys
PRAGMA foreign_key_check

-- name: check_messages
INSERT INTO messages_fts (messages_fts, rank) VALUES ('integrity-check', 1)

-- name: check_memories
INSERT INTO memories_fts (memories_fts, rank) VALUES ('integrity-check', 1)

-- name: check_turns
INSERT INTO turns_fts (turns_fts, rank) VALUES ('integrity-check', 1)

-- name: check_knowledge
INSERT INTO knowledge_fts (knowledge_fts, rank) VALUES ('integrity-check', 1)

-- name: rebuild_messages
INSERT INTO messages_fts (messages_fts) VALUES ('rebuild')

-- name: rebuild_memories
INSERT INTO memories_fts (memories_fts) VALUES ('rebuild')

-- name: rebuild_turns
INSERT INTO turns_fts (turns_fts) VALUES ('rebuild')

-- name: rebuild_knowledge
INSERT INTO knowledge_fts (knowledge_fts) VALUES ('rebuild')

-- name: schema
SELECT max(number) AS schema, sqlite_version() AS sqlite FROM schema_migrations
