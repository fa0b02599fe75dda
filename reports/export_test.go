package reports

// Unexported names that the tests use.
const CommentLines = commentLines
