-- name: person
SELECT id, name, observed, created_at FROM people WHERE id = :person AND merged_into IS NULL

-- name: accounts
SELECT platform || ':' || external_id AS account, name FROM identities
WHERE person_id = :person ORDER BY account

-- name: counts
-- By an index each.
SELECT
    (SELECT count(*) FROM memories WHERE about_person = :person AND forgotten_at IS NULL) AS about,
    (SELECT count(*) FROM memories WHERE person_id = :person AND forgotten_at IS NULL) AS said,
    (SELECT count(*) FROM core_facts
        WHERE person_id = :person AND valid_until IS NULL) AS core_facts,
    (SELECT count(*) FROM turns WHERE person_id = :person) AS turns,
    (SELECT count(*) FROM reminders WHERE person_id = :person AND state = 'open') AS reminders

-- name: page
SELECT p.id, p.name, p.observed, p.created_at, (
    SELECT json_group_array(json_object(
        'account', i.platform || ':' || i.external_id, 'name', i.name
    )) FROM identities AS i WHERE i.person_id = p.id
) AS accounts
FROM people AS p
WHERE p.merged_into IS NULL AND p.id > :after ORDER BY p.id LIMIT :limit
