-- How a phrase is composed, as every question about phrases takes it.
merge := 'sum', pipeline := 'compose-second', aligned := true, anchor := 0
