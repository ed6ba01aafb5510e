-- name: memories
SELECT term, doc FROM memories_terms WHERE term IN (SELECT value FROM json_each(:terms))
UNION ALL SELECT '', coalesce(max(seq), 0) FROM memories

-- name: messages
SELECT term, doc FROM messages_terms WHERE term IN (SELECT value FROM json_each(:terms))
UNION ALL SELECT '', coalesce(max(id), 0) FROM messages

-- name: turns
SELECT term, doc FROM turns_terms WHERE term IN (SELECT value FROM json_each(:terms))
UNION ALL SELECT '', coalesce(max(seq), 0) FROM turns

-- name: knowledge
SELECT term, doc FROM knowledge_terms WHERE term IN (SELECT value FROM json_each(:terms))
UNION ALL SELECT '', coalesce(max(seq), 0) FROM knowledge

-- name: near
SELECT term FROM memories_terms WHERE term >= :from AND term < :to
UNION SELECT term FROM messages_terms WHERE term >= :from AND term < :to
UNION SELECT term FROM turns_terms WHERE term >= :from AND term < :to
UNION SELECT term FROM knowledge_terms WHERE term >= :from AND term < :to

-- name: told
SELECT 1 FROM messages_fts AS f CROSS JOIN messages AS m ON m.id = f.rowid
WHERE messages_fts MATCH :stem AND m.handling = 'observed' LIMIT 1
