-- name: of_memories
-- Whose statements are: their author; where none is known, who wrote the messages behind each, and whom it came from. A message whose
-- author is unknown counts too: the words behind the row are not one person's then.
SELECT m.id, m.store, m.about_person, m.visibility, m.audience,
    coalesce((SELECT r.space FROM rooms AS r WHERE r.id = m.room_id), m.space) AS space,
    m.said_by, m.author_id, m.person_id, (
        SELECT json_group_array(json_array(g.person_id, g.author))
        FROM memory_sources AS s
        JOIN messages AS g ON g.id = s.message_id AND g.author_kind = 'person'
        WHERE s.memory_id = m.id
    ) AS behind
FROM memories AS m
WHERE m.id IN (SELECT value FROM json_each(:ids))

-- name: behind
SELECT DISTINCT person_id, author FROM messages
WHERE id IN (SELECT value FROM json_each(:messages)) AND author_kind = 'person'
