-- name: marks
-- The marks of the longest forgotten texts, a row for each of their stems.
SELECT t.id, t.audience, t.content, t.forgotten_at, s.stem FROM tombstone_stems AS s
CROSS JOIN (
    SELECT * FROM tombstones WHERE forgetting_id = :forgetting AND stems >= :fewest
    ORDER BY stems DESC LIMIT :most
) AS t ON t.id = s.tombstone_id

-- name: terms
SELECT term FROM messages_terms UNION SELECT term FROM memories_terms
UNION SELECT term FROM turns_terms UNION SELECT term FROM knowledge_terms

-- name: saying
-- Rows that say these words; their texts are compared afterwards. What is muted keeps its words.
SELECT 'messages' AS place, m.text, m.person_id AS person, m.sent_at AS at FROM messages_fts AS f
CROSS JOIN messages AS m ON m.id = f.rowid
WHERE messages_fts MATCH :match AND m.audience = :audience AND m.text <> ''
UNION ALL
SELECT 'statements', m.content, m.author_id, m.valid_from FROM memories_fts AS f
CROSS JOIN memories AS m ON m.seq = f.rowid
WHERE memories_fts MATCH :match AND m.audience = :audience AND m.forgotten_at IS NULL
UNION ALL
SELECT 'exchanges', t.text, t.person_id, t.at FROM turns_fts AS f
CROSS JOIN turns AS t ON t.seq = f.rowid
WHERE turns_fts MATCH :match AND t.audience = :audience AND t.text <> ''
UNION ALL
SELECT 'summaries, facts and notes', k.content, k.person_id, k.at FROM knowledge_fts AS f
CROSS JOIN knowledge AS k ON k.seq = f.rowid
WHERE knowledge_fts MATCH :match AND k.audience = :audience AND k.content <> ''

-- name: going
-- The longest texts that a forgetting took and can still give back.
SELECT DISTINCT coalesce(before ->> 'text', before ->> 'content') AS text FROM forgetting_rows
WHERE forgetting_id = :forgetting AND tbl IN ('messages', 'turns', 'memories', 'knowledge')
    AND coalesce(after ->> 'text', after ->> 'content', '') = '' AND length(text) >= :shortest
ORDER BY length(text) DESC LIMIT :limit

-- name: still_said
-- What can still be given back is in the journal on purpose.
SELECT value AS said FROM json_each(:said) AS k
WHERE EXISTS (SELECT 1 FROM messages WHERE instr(text, k.value))
    OR EXISTS (SELECT 1 FROM memories WHERE instr(content, k.value))
    OR EXISTS (SELECT 1 FROM turns WHERE instr(text, k.value) OR instr(reply, k.value))
    OR EXISTS (SELECT 1 FROM knowledge WHERE instr(content, k.value))
    OR EXISTS (SELECT 1 FROM forgetting_rows WHERE instr(before, k.value))

-- name: looked_for
SELECT detail, at FROM audit_log WHERE action = :action AND target = :target
ORDER BY id DESC LIMIT 1
