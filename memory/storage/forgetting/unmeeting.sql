-- name: drop_notes
-- What the triggers wrote down of the accounts.
DELETE FROM erasures WHERE kind IN ('account', 'unobserved') AND key IN (
    SELECT platform || ':' || external_id FROM identities WHERE person_id = :person
)

-- name: note
INSERT INTO erasures (kind, key, erased) VALUES ('account', :person, 1)

-- name: drop_accounts
DELETE FROM identities WHERE person_id = :person

-- name: observe_again
UPDATE people SET observed = 1 WHERE id = :person

-- name: part_messages
-- What was forgotten before the import was taken back keeps its row.
UPDATE messages SET account = NULL WHERE person_id = :person AND author_kind = 'person'

-- name: part_statements
UPDATE memories SET account = NULL WHERE author_id = :person AND content = ''

-- name: part_knowledge
UPDATE knowledge SET account = NULL WHERE about_person = :person AND content = ''
