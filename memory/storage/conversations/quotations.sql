-- name: quoting
-- Exchanges a row was recalled for, or stood in the window of: they may quote it. The person who is
-- answered may be called by their name, which tells nothing.
SELECT t.id, t.speaker || char(10) || t.text AS text, t.reply, k.value AS ref
FROM json_each(:refs) AS k
CROSS JOIN memory_retrieval_items AS i ON i.ref >= k.value AND i.ref < k.value || '~'
    AND (i.kept = 1 OR i.reason IN ('in the window', 'said in the window'))
CROSS JOIN memory_retrievals AS r ON r.id = i.retrieval_id
CROSS JOIN turns AS t ON t.id = r.turn_id
WHERE t.id NOT IN (SELECT value FROM json_each(:turns))
GROUP BY t.id, k.value

-- name: overhearing
-- Exchanges that were told one of these messages as what their room had said.
SELECT t.id, t.speaker || char(10) || t.text AS text, t.reply, l.message_id AS message
FROM json_each(:messages) AS k
CROSS JOIN turn_room_lines AS l ON l.message_id = k.value
CROSS JOIN turns AS t ON t.id = l.turn_id
WHERE t.id NOT IN (SELECT value FROM json_each(:turns))

-- name: followers
-- What was answered while a touched exchange stood in the window.
SELECT later.id, later.speaker || char(10) || later.text AS text, later.reply, t.id AS of
FROM json_each(:turns) AS k
CROSS JOIN turns AS t ON t.id = k.value
CROSS JOIN turns AS later ON later.session_id = t.session_id AND later.seq > t.seq
WHERE later.at <= t.at + :reach AND later.id NOT IN (SELECT value FROM json_each(:turns))
    AND later.reply <> ''

-- name: replying
-- Exchanges in which a person quoted one of the messages: it stands in what was looked up.
SELECT DISTINCT m.turn_id AS id
FROM json_each(:messages) AS k
CROSS JOIN messages AS gone ON gone.id = k.value
CROSS JOIN messages AS m ON m.platform = gone.platform AND m.reply_to = gone.external_id
WHERE m.turn_id IS NOT NULL

-- name: message_texts
-- With the name of whom it is of; the pet's own says nothing.
SELECT id, text, iif(author_kind = 'person' AND author <> :pseudonym, author, '') AS names
FROM messages WHERE id IN (SELECT value FROM json_each(:ids))

-- name: turn_texts
SELECT id, text || char(10) || reply AS text, '' AS names
FROM turns WHERE id IN (SELECT value FROM json_each(:ids))

-- name: memory_texts
SELECT m.id, iif(m.forgotten_at IS NULL, m.content, '') AS text, coalesce((
    SELECT p.name FROM people AS p WHERE p.id = m.author_id AND p.name <> :pseudonym
), '') || char(10) || coalesce((
    SELECT group_concat(s.subject, char(10)) FROM memory_subjects AS s WHERE s.memory_id = m.id
), '') AS names
FROM memories AS m WHERE m.id IN (SELECT value FROM json_each(:ids))

-- name: knowledge_texts
SELECT k.id, k.content AS text, coalesce((
    SELECT p.name FROM people AS p WHERE p.id = k.about_person AND p.name <> :pseudonym
), '') AS names
FROM knowledge AS k WHERE k.id IN (SELECT value FROM json_each(:ids))

-- name: standing_before
-- What was recalled for the exchanges that stand in the window of a session, and these themselves.
SELECT i.ref FROM sessions AS s
CROSS JOIN turns AS t ON t.session_id = s.id AND t.seq > s.compacted_to
CROSS JOIN memory_retrievals AS r ON r.turn_id = t.id
CROSS JOIN memory_retrieval_items AS i ON i.retrieval_id = r.id AND i.kept = 1
WHERE s.id = :session
UNION
SELECT 'conversations:' || t.id || '@' FROM sessions AS s
CROSS JOIN turns AS t ON t.session_id = s.id AND t.seq > s.compacted_to
WHERE s.id = :session AND t.carries <> '[]'

-- name: overheard_before
SELECT DISTINCT l.message_id AS message FROM sessions AS s
CROSS JOIN turns AS t ON t.session_id = s.id AND t.seq > s.compacted_to
CROSS JOIN turn_room_lines AS l ON l.turn_id = t.id
WHERE s.id = :session

-- name: audiences
-- Who may know these rows, and what the exchanges and summaries among them repeat.
SELECT CAST(id AS TEXT) AS id, audience FROM messages
WHERE id IN (SELECT value FROM json_each(:messages))
UNION ALL
SELECT id, audience FROM memories WHERE id IN (SELECT value FROM json_each(:ids))
UNION ALL
SELECT t.id, c.value FROM json_each(:ids) AS i CROSS JOIN turns AS t ON t.id = i.value
CROSS JOIN json_each(json_insert(t.carries, '$[#]', t.audience)) AS c
UNION ALL
SELECT k.id, c.value FROM json_each(:ids) AS i CROSS JOIN knowledge AS k ON k.id = i.value
CROSS JOIN json_each(json_insert(k.carries, '$[#]', k.audience)) AS c

-- name: words_going
-- What goes and its moment: the stems of what people said or is kept of it, the text they had in
-- exchanges. What the pet answered or summarised is its own way of speaking.
SELECT search_text AS stems, '' AS text, sent_at AS at FROM messages
WHERE id IN (SELECT value FROM json_each(:messages)) AND author_kind <> 'pet'
UNION ALL
SELECT '', text, at FROM turns WHERE id IN (SELECT value FROM json_each(:turns))
UNION ALL
SELECT search_text, '', valid_from FROM memories
WHERE id IN (SELECT value FROM json_each(:memories))
UNION ALL
SELECT search_text, '', created_at FROM knowledge
WHERE id IN (SELECT value FROM json_each(:knowledge)) AND kind <> 'summary'

-- name: still_said
-- Which of these stems anybody has said, the pet before that moment, or anything that is kept says.
SELECT k.value AS stem FROM json_each(:stems) AS k
WHERE EXISTS (
        SELECT 1 FROM messages_fts AS f CROSS JOIN messages AS m ON m.id = f.rowid
        WHERE messages_fts MATCH '"' || k.value || '"'
            AND (m.author_kind <> 'pet' OR m.sent_at < :since)
    )
    OR EXISTS (SELECT 1 FROM memories_fts WHERE memories_fts MATCH '"' || k.value || '"')
    OR EXISTS (SELECT 1 FROM knowledge_fts WHERE knowledge_fts MATCH '"' || k.value || '"')

-- name: answers_by_words
SELECT t.id, t.reply FROM turns_fts AS f CROSS JOIN turns AS t ON t.seq = f.rowid
WHERE turns_fts MATCH :match AND t.reply <> ''

-- name: answers_unfound
SELECT id, reply FROM turns WHERE search_text = '' AND reply <> ''

-- name: tools
SELECT turn_id AS id, position, arguments || char(10) || result AS text FROM turn_tools
WHERE (turn_id, position) > (:turn, :position)
ORDER BY turn_id, position LIMIT :limit

-- name: carry_in_turns
UPDATE turns SET carries = json_insert(carries, '$[#]', :audience)
WHERE id IN (SELECT value FROM json_each(:turns))
    AND :audience NOT IN (SELECT value FROM json_each(carries))

-- name: carry_in_summaries
-- Those that tell of such an exchange, and what follows them in the session.
UPDATE knowledge SET carries = json_insert(carries, '$[#]', :audience)
WHERE id IN (
    SELECT s.knowledge_id FROM turns AS t
    JOIN summaries AS s ON s.session_id = t.session_id AND s.last_seq >= t.seq
    WHERE t.id IN (SELECT value FROM json_each(:turns)) AND s.knowledge_id IS NOT NULL
) AND :audience NOT IN (SELECT value FROM json_each(carries))
