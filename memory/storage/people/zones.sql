-- name: told
-- Where a person is, as far as a scope may know, the latest first: by the messages that say so, then
-- by what is kept of them, the zone itself before the city.
SELECT zone FROM (
    SELECT zone, audience FROM messages
    WHERE person_id = coalesce((SELECT survivor FROM merged_people WHERE id = :person), :person)
        AND zone IS NOT NULL AND deleted_at IS NULL
    ORDER BY sent_at DESC LIMIT 100
) WHERE audience IN (SELECT value FROM json_each(:audiences))
UNION ALL
SELECT value FROM (
    SELECT value FROM core_facts
    WHERE person_id = coalesce((SELECT survivor FROM merged_people WHERE id = :person), :person)
        AND key IN ('timezone', 'city') AND valid_until IS NULL
        AND audience IN (SELECT value FROM json_each(:audiences))
    ORDER BY key DESC, valid_from DESC
)
