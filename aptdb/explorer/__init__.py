"""The explorer: pages about words and phrases, served to a browser on this machine, or written once as a site."""
