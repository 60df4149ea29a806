// Package canonical is the one byte form that a JSON document has wherever Fieldbook signs, digests or compares it:
// handoffs, results, receipts. It imports the standard library alone and runs in the parent; no learner's code reaches it.
//
// The form is a subset of RFC 8785 (JSON Canonicalization Scheme), so any JCS implementation writes the same bytes:
//
//   - UTF-8 without byte order mark, and nothing before or after the document: no white space anywhere;
//   - an object's keys differ and ascend by their UTF-16 code units;
//   - text is written as it is, except \" \\ \b \t \n \f \r and, for the other characters below U+0020, \u00xx in lower case;
//   - numbers are whole, between -(2^53-1) and 2^53-1, without leading zeros and without -0. RFC 8785 also allows fractions;
//     this form does not, because readers disagree about them: a fraction or a larger number travels as text;
//   - lists and objects nest at most MaxDepth deep.
package canonical
