-- The parameters of pmi, and of what is made of it, as a scheme takes or refuses them.
cds := NULL, cds_total := NULL, scope := NULL, shift := NULL
