-- One row: the bytes of the file that hold something, and those that nothing uses.
SELECT used_blocks * block_size AS used, free_blocks * block_size AS free
FROM pragma_database_size()
WHERE database_name = current_database();
