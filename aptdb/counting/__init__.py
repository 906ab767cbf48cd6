"""From trees to counts: add and remove corpora, merge, recount and verify lexicons."""
