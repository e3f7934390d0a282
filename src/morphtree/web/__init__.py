"""In the browser: the service with its page, and the editor of treebanks."""
