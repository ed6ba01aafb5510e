-- name: changes
SELECT total_changes() AS changes

-- name: merge_messages
INSERT INTO messages_fts (messages_fts, rank) VALUES ('merge', :pages)

-- name: merge_memories
INSERT INTO memories_fts (memories_fts, rank) VALUES ('merge', :pages)

-- name: merge_turns
INSERT INTO turns_fts (turns_fts, rank) VALUES ('merge', :pages)

-- name: merge_knowledge
INSERT INTO knowledge_fts (knowledge_fts, rank) VALUES ('merge', :pages)

-- name: empty_log
PRAGMA wal_checkpoint(TRUNCATE)

-- name: vacuum
VACUUM
