-- name: heard
-- Lines that were heard here as they were said, or came by another import: as often as stand before
-- it in the file, and once more. What was said in a minute is read once for all lines of that minute.
WITH lines AS MATERIALIZED (
    SELECT
        key AS place, value ->> 'audience' AS audience, value ->> 'from' AS since,
        value ->> 'to' AS until, value ->> 'text' AS text, value ->> 'person' AS person,
        value ->> 'ordinal' AS ordinal, value ->> 'by' AS import_id
    FROM json_each(:lines)
),
minutes AS MATERIALIZED (SELECT DISTINCT import_id, audience, since, until FROM lines),
said AS MATERIALIZED (
    SELECT t.import_id, t.audience, t.since, m.person_id, m.text, count(*) AS often
    FROM minutes AS t
    CROSS JOIN messages AS m INDEXED BY messages_audience
        ON m.audience = t.audience AND m.sent_at BETWEEN t.since AND t.until
    WHERE m.brought_by IS NOT t.import_id AND m.deleted_at IS NULL
        AND m.text IN (SELECT text FROM lines)
    GROUP BY t.import_id, t.audience, t.since, m.person_id, m.text
)
SELECT l.place FROM lines AS l
JOIN said AS s ON s.text = l.text AND s.person_id = l.person
    AND s.since = l.since AND s.audience = l.audience AND s.import_id = l.import_id
WHERE s.often > l.ordinal
