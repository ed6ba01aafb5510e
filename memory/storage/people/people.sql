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

-- name: give_account
INSERT INTO identities (platform, external_id, person_id, name)
SELECT :platform, :external_id, id, :name FROM people WHERE id = :id
ON CONFLICT DO NOTHING

-- name: is_new
-- Accounts that were joined are as old as the oldest of them.
SELECT p.created_at >= :since AND NOT EXISTS (
    SELECT 1 FROM people AS merged WHERE merged.merged_into = p.id AND merged.created_at < :since
) AND NOT EXISTS (
    SELECT 1 FROM identities AS i WHERE i.person_id = p.id
        AND i.platform NOT IN (SELECT value FROM json_each(:platforms))
) AS is_new
FROM people AS p
WHERE p.id = coalesce((SELECT survivor FROM merged_people WHERE id = :person), :person)

-- name: set_observed
-- A wish that comes late from another process takes back none that was made since.
UPDATE people SET observed = :observed, wished_at = max(wished_at, :at)
WHERE id = coalesce((SELECT survivor FROM merged_people WHERE id = :id), :id)
    AND (:here OR wished_at <= :at)

-- name: wished
UPDATE people SET wished_at = max(wished_at, :at)
WHERE id = coalesce((SELECT survivor FROM merged_people WHERE id = :id), :id)

-- name: put_room
INSERT INTO rooms (
    id, platform, external_id, name, kind, role, proposed, space, confidential, public,
    parent, starter, community, created_at
) VALUES (
    :id, :platform, :external_id, :name, :kind, :role, :proposed, :space, :confidential, :public,
    :parent, :starter, :community, :now
) ON CONFLICT (platform, external_id) DO UPDATE SET
    name = excluded.name, role = excluded.role, proposed = excluded.proposed, space = excluded.space,
    confidential = excluded.confidential, public = excluded.public, parent = excluded.parent,
    starter = excluded.starter, community = excluded.community

-- name: groups_of
SELECT * FROM rooms WHERE kind = 'group' AND (:space IS NULL OR space = :space)
ORDER BY platform, name COLLATE NOCASE, id

-- name: speakers_in
-- Who wrote last in the rooms of several people of a space.
SELECT p.id, p.name, p.observed FROM messages AS m
JOIN rooms AS r ON r.id = m.room_id JOIN people AS p ON p.id = m.person_id
WHERE r.space = :space AND r.kind = 'group' AND m.author_kind = 'person'
GROUP BY p.id ORDER BY max(m.id) DESC LIMIT :limit

-- name: room
SELECT * FROM rooms WHERE id = :id

-- name: direct_room
-- Where a person wrote last of the rooms that they are alone in with the pet.
SELECT r.* FROM identities AS i
JOIN sessions AS s ON s.person_id = i.person_id
JOIN rooms AS r ON r.id = s.room_id AND r.kind = 'direct'
WHERE i.platform = :platform AND i.external_id = :external_id
ORDER BY s.last_at DESC LIMIT 1

-- name: survivor
SELECT survivor FROM merged_people WHERE id = :person

-- name: survivor_of
SELECT p.id, p.observed FROM people AS p
WHERE p.id = coalesce((SELECT survivor FROM merged_people WHERE id = :id), :id)

-- name: members
SELECT space, person_id FROM space_members

-- name: spoken_in
-- The communities of one platform in which the person of an account has said something.
SELECT DISTINCT r.space FROM identities AS i
JOIN messages AS m ON m.person_id = i.person_id AND m.author_kind = 'person'
JOIN rooms AS r ON r.id = m.room_id AND r.kind = 'group' AND r.platform = i.platform
WHERE i.platform = :platform AND i.external_id = :external_id
