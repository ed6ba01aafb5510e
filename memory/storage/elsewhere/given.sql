-- name: keep
INSERT INTO given_lines (turn_id, sibling, ref, at) VALUES (:turn, :sibling, :ref, :at)

-- name: in_window
-- What the answers rest on that stand in the window of a session.
SELECT t.reply, g.sibling, g.ref, min(g.at) AS at FROM sessions AS s
CROSS JOIN turns AS t ON t.session_id = s.id AND t.seq > s.compacted_to
CROSS JOIN given_lines AS g ON g.turn_id = t.id
WHERE s.id = :session
GROUP BY t.seq, g.sibling, g.ref

-- name: of_account
-- What answers to a person rest on that may still be told, each once: of a week.
SELECT g.sibling, g.ref, min(g.at) AS at FROM identities AS i
CROSS JOIN turns AS t ON t.person_id = i.person_id AND t.at >= :since
CROSS JOIN given_lines AS g ON g.turn_id = t.id
WHERE i.platform = :platform AND i.external_id = :external_id
GROUP BY g.sibling, g.ref
ORDER BY max(g.seq) DESC LIMIT :most

-- name: after
SELECT g.seq, g.sibling, g.ref, g.at, t.reply = '' AS is_over, g.turn_id FROM given_lines AS g
CROSS JOIN turns AS t ON t.id = g.turn_id
WHERE g.seq > :after ORDER BY g.seq LIMIT :most

-- name: turns_with
SELECT DISTINCT turn_id FROM given_lines
WHERE sibling = :sibling AND ref IN (SELECT value FROM json_each(:refs))

-- name: drop
-- An answer that an undoing may bring back goes on resting on them.
DELETE FROM given_lines
WHERE turn_id IN (SELECT value FROM json_each(:turns))
    AND turn_id NOT IN (
        SELECT coalesce(before, after) ->> 'id' FROM forgetting_rows WHERE tbl = 'turns'
    )

-- name: changed
-- Lobby messages that were edited, each since the moment that is asked about.
SELECT m.id FROM json_each(:messages) AS k
JOIN messages AS m ON m.id = k.value ->> 0 AND m.edited_at >= k.value ->> 1
