-- name: supersede
UPDATE memories SET superseded_by = :by, superseded_at = :now, revision = revision + 1,
    valid_until = max(valid_from, :until)
WHERE id = :id AND superseded_by IS NULL AND EXISTS (SELECT 1 FROM memories WHERE id = :by)
RETURNING store

-- name: end_with_next
-- Of what was learnt late: it held until its author said the next of its kind.
UPDATE memories SET valid_until = min(valid_until, coalesce((
    SELECT min(n.valid_from) FROM memories AS n
    WHERE n.slot = memories.slot AND n.audience = memories.audience AND n.store = memories.store
        AND n.author_id IS memories.author_id
        AND n.valid_from > memories.valid_from AND n.forgotten_at IS NULL
), valid_until))
WHERE id = :id AND slot <> 'choice'

-- name: end_those_before
-- And those before it held until it was said, and no longer.
UPDATE memories SET valid_until = late.valid_from
FROM (
    SELECT id, slot, audience, store, author_id, valid_from FROM memories WHERE id = :id
) AS late
WHERE memories.slot = late.slot AND late.slot <> 'choice' AND memories.audience = late.audience
    AND memories.store = late.store AND memories.author_id IS late.author_id
    AND memories.id <> late.id
    AND memories.superseded_by IS NOT NULL
    AND memories.valid_from <= late.valid_from AND memories.valid_until > late.valid_from

-- name: history_of
SELECT m.id FROM memory_sources AS s JOIN memories AS m ON m.id = s.memory_id
WHERE s.message_id IN (SELECT value FROM json_each(:messages)) AND m.superseded_by IS NOT NULL
    AND m.store = :store AND m.audience = :audience AND m.content = :content
LIMIT 1
