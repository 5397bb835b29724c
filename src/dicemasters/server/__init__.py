"""Web server: games opened by link, played live in the browser and stored in a database."""
