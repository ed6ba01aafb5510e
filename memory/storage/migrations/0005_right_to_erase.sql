-- Forgetting has a right of its own. Keys that could read and change what is kept, or administer,
-- keep it; one that could change and not read has it no more.
UPDATE api_keys SET rights = json_insert(rights, '$[#]', 'erase')
WHERE NOT EXISTS (SELECT 1 FROM json_each(rights) WHERE value = 'erase')
    AND (
        EXISTS (SELECT 1 FROM json_each(rights) WHERE value = 'admin')
        OR (SELECT count(*) FROM json_each(rights) WHERE value IN ('read', 'write')) = 2
    );
