-- name: disclosed
-- What is one person's alone, and the spaces that they know and the other does not.
SELECT
    (SELECT count(*) FROM active_memories WHERE audience = :audience) AS statements,
    (SELECT count(*) FROM messages
        WHERE audience = :audience AND author_kind = 'person' AND deleted_at IS NULL) AS messages,
    (
        SELECT json_group_array(coalesce((
            SELECT coalesce(nullif(r.community, ''), r.name) FROM rooms AS r
            WHERE r.space = m.space ORDER BY r.created_at LIMIT 1
        ), m.space)) FROM space_members AS m
        WHERE m.person_id = :whose AND NOT EXISTS (
            SELECT 1 FROM space_members AS o WHERE o.space = m.space AND o.person_id = :other
        )
    ) AS spaces,
    (SELECT observed FROM people WHERE id = :whose) AS observed

-- name: accounts
SELECT platform, external_id, name FROM identities
WHERE person_id = :person ORDER BY platform, external_id
