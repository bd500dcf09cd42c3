mod cases;
mod inert;
mod laws;
mod table;
