package engine

// Codes of diagnostics, stable. A code that begins with CodeUnsupported stands for right Go that cannot be run right;
// CodeDisagree stands for a fault of ours; every other one means that the source does not compile or breaks a rule.
const (
	CodeUnsupported = "unsupported" // followed by a dot and the construct
	// CodeDisagree is the code of what the Go compiler says against a program that our checker accepts.
	CodeDisagree = "engines_disagree"

	codeEmpty        = "empty"
	codeTooLarge     = "too_large"
	codeNUL          = "nul_byte"
	codeEncoding     = "encoding"
	codeTooDeep      = "too_deep"
	codeTooComplex   = "too_complex"
	codeConstant     = "constant_too_large"
	codeSyntax       = "syntax"
	codeConstraint   = "build_constraint"
	codeDirective    = "directive"
	codeCgo          = "cgo"
	codeDotImport    = "dot_import"
	codeImport       = "import_not_offered"
	codeNotOffered   = "not_offered"
	codeClock        = "wall_clock"
	codeInit         = "init"
	codePackage      = "package_clause"
	codeMissing      = "function_missing"
	codeMethod       = "function_is_method"
	codeTwice        = "function_twice"
	codeBody         = "missing_body"
	codeSignature    = "signature"
	codeRedeclared   = "redeclared"
	codeType         = "type"
	codeUnused       = "unused_variable"
	codeUnusedImport = "unused_import"
	codeUndefined    = "undefined"
	codeMore         = "more"
)
