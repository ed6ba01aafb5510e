-- name: private_rows
SELECT 'messages' AS tbl, id, NULL AS store FROM messages
WHERE audience = :audience AND text <> ''
UNION ALL
SELECT 'turns', id, NULL FROM turns WHERE audience = :audience AND (text <> '' OR reply <> '')
UNION ALL
SELECT 'memories', id, store FROM memories WHERE audience = :audience AND forgotten_at IS NULL

-- name: answers_to
SELECT id FROM turns WHERE person_id = :person AND id IN (SELECT value FROM json_each(:turns))

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
