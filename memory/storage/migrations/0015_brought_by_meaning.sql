-- Lines that came along with a history are found by meaning, too, once facts were looked for in them.
CREATE INDEX messages_brought_along ON messages (id) WHERE brought_by IS NOT NULL;
INSERT INTO index_outbox (collection, point_id)
SELECT 'live', printf('00000000-0000-0000-%04x-%012x', m.id >> 48, m.id & 281474976710655)
FROM messages AS m JOIN imports AS i ON i.id = m.brought_by
WHERE m.brought_by IS NOT NULL AND m.id <= i.learnt_to AND m.handling = 'observed'
    AND m.deleted_at IS NULL;
