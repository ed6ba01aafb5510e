-- name: answers
SELECT id FROM messages WHERE turn_id = :turn AND author_kind = 'pet'

-- name: observe_again
INSERT INTO live_messages (message_id)
SELECT m.id FROM messages AS m
LEFT JOIN people AS p ON p.id = m.person_id
WHERE m.id = :message AND m.handling = 'observed' AND m.deleted_at IS NULL
    AND coalesce(p.observed, 1)
ON CONFLICT (message_id) DO UPDATE SET digest_id = NULL, position = NULL, quarantined_at = NULL

-- name: read_with
-- The stretch that an exchange was read in; one that is being read notices by itself.
SELECT e.session_id, e.first_turn, t.seq FROM turns AS t
JOIN extraction_spans AS e
    ON e.session_id = t.session_id AND t.seq BETWEEN e.first_turn AND e.last_turn
WHERE t.id = :turn AND e.state = 'stored'

-- name: cut_after
INSERT INTO extraction_spans (session_id, first_turn, last_turn, audience, state, reading)
SELECT session_id, :seq + 1, last_turn, audience, state, reading FROM extraction_spans
WHERE session_id = :session AND first_turn = :first AND last_turn > :seq

-- name: cut_out
INSERT INTO extraction_spans (session_id, first_turn, last_turn, audience, state, reading)
SELECT session_id, :seq, :seq, audience, 'claimed', reading + 1 FROM extraction_spans
WHERE session_id = :session AND first_turn = :first AND first_turn < :seq

-- name: cut_before
UPDATE extraction_spans SET last_turn = :seq - 1
WHERE session_id = :session AND first_turn = :first AND first_turn < :seq

-- name: claim_again
UPDATE extraction_spans SET
    last_turn = :seq, state = 'claimed', attempts = 0, error = NULL, reading = reading + 1
WHERE session_id = :session AND first_turn = :first AND first_turn = :seq

-- name: standing
SELECT m.text, m.deleted_at, m.edited_at
FROM json_each(:messages) AS k
CROSS JOIN messages AS m ON m.id = k.value
ORDER BY k.key

-- name: answered_by
SELECT id FROM messages WHERE turn_id = :turn AND author_kind <> 'pet' ORDER BY id

-- name: told
SELECT reply, search_text, error FROM turns WHERE id = :turn

-- name: retell
UPDATE turns SET text = :text, search_text = :search_text WHERE id = :turn

-- name: drop_tools
DELETE FROM turn_tools WHERE turn_id = :turn

-- name: drop_query
UPDATE memory_retrievals SET query = '' WHERE turn_id = :turn

-- name: soil
INSERT INTO meta (key, value) VALUES ('soiled_at', CAST(:now AS TEXT))
ON CONFLICT (key) DO UPDATE SET value = excluded.value
