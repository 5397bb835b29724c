"""The browser's table: games by link, played live, kept in a database."""
