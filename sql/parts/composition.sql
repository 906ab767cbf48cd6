-- How a phrase is composed, as every question about phrases takes it; the anchor apart, which some have twice or not at
-- all.
merge := 'sum', pipeline := 'compose-second', aligned := true, strategy := 'one-step', missing := 'error',
    context := 'all', smooth := 'none', alpha := NULL
