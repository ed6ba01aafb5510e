"""How good recall and answers are, measured on data sets and on people's own questions."""
