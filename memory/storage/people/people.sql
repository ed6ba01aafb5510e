-- name: person_of
-- Under the name of this account: what the same person goes by elsewhere is not for all to know.
SELECT p.id, i.name, p.observed
FROM identities AS i
JOIN people AS p ON p.id = i.person_id
WHERE i.platform = :platform AND i.external_id = :external_id

-- name: named
SELECT coalesce(merged_into, id) AS id FROM people
WHERE id = :name OR name = :name COLLATE NOCASE AND merged_into IS NULL
UNION SELECT person_id FROM identities WHERE name = :name COLLATE NOCASE
UNION SELECT person_id FROM aliases
WHERE person_id IS NOT NULL AND spelling = :name COLLATE NOCASE

-- name: rooms_named
SELECT id FROM rooms WHERE id = :name OR name = :name COLLATE NOCASE

-- name: add_person
INSERT INTO people (id, name, created_at) VALUES (:id, :name, :now)
ON CONFLICT (id) DO UPDATE SET name = excluded.name

-- name: add_identity
INSERT INTO identities (platform, external_id, person_id, name)
VALUES (:platform, :external_id, :id, :name)
ON CONFLICT (platform, external_id) DO UPDATE SET name = excluded.name

-- name: set_observed
UPDATE people SET observed = :observed
WHERE id = coalesce((SELECT survivor FROM merged_people WHERE id = :id), :id)

-- name: put_room
INSERT INTO rooms (
    id, platform, external_id, name, kind, role, proposed, space, confidential, public,
    parent, created_at
) VALUES (
    :id, :platform, :external_id, :name, :kind, :role, :proposed, :space, :confidential, :public,
    :parent, :now
) ON CONFLICT (platform, external_id) DO UPDATE SET
    name = excluded.name, role = excluded.role, proposed = excluded.proposed, space = excluded.space,
    confidential = excluded.confidential, public = excluded.public, parent = excluded.parent

-- name: groups_of
SELECT * FROM rooms WHERE kind = 'group' AND (:space IS NULL OR space = :space)
ORDER BY platform, name COLLATE NOCASE, id

-- name: room
SELECT * FROM rooms WHERE id = :id

-- name: survivor
SELECT survivor FROM merged_people WHERE id = :person
