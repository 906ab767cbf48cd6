// How results of the search are ordered: the pages of reference have almost every word in some heading, and come after
// those that explain; a result that leads to a part of a page comes before one that leads to its top.
var Scorer = {
  score: ([docname, title, anchor, descr, score]) =>
    score - (docname.startsWith("reference/") ? 4 : 0) - (BEHIND.has(docname) ? 8 : 0) + (anchor ? 3 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
var BEHIND = new Set(["architecture", "changelog", "contributing", "duckdb"]);
