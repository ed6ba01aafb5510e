-- name: heard
-- Lines that were heard here as they were said, or came by another import: as often as stand before
-- it in the file, and once more.
SELECT k.key AS place FROM json_each(:lines) AS k
WHERE (
    SELECT count(*) FROM messages AS m
    WHERE m.brought_by IS NOT k.value ->> 'by' AND m.audience = k.value ->> 'audience'
        AND m.sent_at BETWEEN k.value ->> 'from' AND k.value ->> 'to'
        AND m.text = k.value ->> 'text' AND m.person_id = k.value ->> 'person'
        AND m.deleted_at IS NULL
) > k.value ->> 'ordinal'
