-- name: latest
SELECT t.seq FROM turns AS t
WHERE t.seq < :before AND (t.text <> '' OR t.reply <> '')
    AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY t.seq DESC LIMIT :limit

-- name: latest_of
-- Along the index of a person, which is by time.
SELECT t.seq FROM turns AS t
WHERE t.person_id = :person AND t.seq < :before AND (t.text <> '' OR t.reply <> '')
    AND t.at <= coalesce((SELECT at FROM turns WHERE seq = :before), t.at)
    AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY t.at DESC, t.seq DESC LIMIT :limit

-- name: listed
-- A turn that was taken in from an export has no look-up.
SELECT t.seq AS position, t.id, t.person_id AS person, t.speaker, t.room_id AS room,
    t.text AS asked, t.reply, t.notice, t.expression, t.at, t.error, t.carries, coalesce(r.reason, 'not looked up') AS reason,
    coalesce(r.considered, 0) AS considered, coalesce(r.tokens, 0) AS tokens,
    coalesce(r.took_ms, 0.0) AS took_ms, coalesce(r.late, '[]') AS late,
    coalesce(r.elsewhere, '[]') AS elsewhere, (
        SELECT count(*) FROM memory_retrieval_items AS i
        WHERE i.retrieval_id = r.id AND i.kept = 1
    ) AS injected, EXISTS (
        SELECT 1 FROM memory_retrieval_items AS i
        WHERE i.retrieval_id = r.id AND i.reason = 'in the window'
    ) AS in_window
FROM json_each(:turns) AS k
CROSS JOIN turns AS t ON t.seq = k.value
LEFT JOIN memory_retrievals AS r ON r.turn_id = t.id
ORDER BY k.key

-- name: room_lines
-- Of one turn; as far as they stand and the reader may see them.
SELECT l.is_starter, m.id, m.author, m.author_kind, m.text, m.sent_at
FROM turn_room_lines AS l
CROSS JOIN messages AS m ON m.id = l.message_id
LEFT JOIN turns AS t ON t.id = m.turn_id
WHERE l.turn_id = :turn AND m.deleted_at IS NULL AND m.text <> ''
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
    AND (:audiences IS NULL OR m.author_kind = 'person' OR NOT EXISTS (
        SELECT 1 FROM json_each(t.carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    ))
ORDER BY l.is_starter DESC, m.sent_at, m.id

-- name: tools
SELECT u.name, u.arguments, u.result, u.failed FROM turn_tools AS u
JOIN turns AS t ON t.id = u.turn_id
WHERE u.turn_id = :turn
    AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY u.position

-- name: calls
-- A turn has no id before its reply is known: what its person was answered with meanwhile is it.
SELECT u.purpose, u.model, u.outcome, u.input_tokens AS input, u.output_tokens AS output,
    u.cache_read_tokens AS cache_read, u.cache_write_tokens AS cache_write, u.cost, u.took_ms
FROM turns AS t
CROSS JOIN llm_usage AS u ON u.created_at BETWEEN t.asked_at AND t.at
WHERE t.id = :turn AND u.purpose IN ('turn', 'branch') AND u.person_id = t.person_id
    AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY u.id LIMIT :limit

-- name: vouched
-- What the platform said last of the communities that a person belongs to.
SELECT spaces FROM messages
WHERE person_id = :person AND author_kind = 'person' ORDER BY id DESC LIMIT 1

-- name: direct_room
SELECT r.* FROM sessions AS s JOIN rooms AS r ON r.id = s.room_id AND r.kind = 'direct'
WHERE s.person_id = :person ORDER BY s.last_at DESC LIMIT 1
