package reports

// Names that the tests use.
const CommentLines = commentLines
