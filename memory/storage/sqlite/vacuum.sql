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

-- name: give_back_later
PRAGMA auto_vacuum = INCREMENTAL

-- name: auto_vacuum
PRAGMA auto_vacuum

-- name: page_count
PRAGMA page_count

-- name: free_pages
PRAGMA freelist_count

-- name: give_back
PRAGMA incremental_vacuum(64)

-- name: count_steps
INSERT INTO meta (key, value) VALUES ('scrub.step', '0000000000') ON CONFLICT (key) DO NOTHING
