/**
 * @file tokens.h
 * The words of a preprocessed C++ text: where each stands, and of which file and line it is.
 */
#ifndef GRADER_BUILD_TOKENS_H
#define GRADER_BUILD_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind { TOKEN_NAME, TOKEN_STRING, TOKEN_NUMBER, TOKEN_SIGN, TOKEN_PRAGMA, TOKEN_END };

/** Names that mean something here; WORD_GROUP to WORD_KEYWORD are followed by parentheses that are no parameters, all below WORD_OWN are keywords. */
enum word {
    WORD_NONE,
    WORD_ATTRIBUTE,
    WORD_ATTRIBUTE_SHORT,
    WORD_GROUP, /**< and others behind it */
    WORD_KEYWORD = 16,
    WORD_TEMPLATE,
    WORD_EXTERN,
    WORD_EXTENSION,
    WORD_CLASS,
    WORD_STRUCT,
    WORD_UNION,
    WORD_ENUM,
    WORD_OPERATOR,
    WORD_USING,
    WORD_NAMESPACE,
    WORD_INLINE,
    WORD_TYPEDEF,
    WORD_TYPENAME,
    WORD_STATIC_ASSERT,
    WORD_FOR,
    WORD_AUTO,
    WORD_CONST,
    WORD_TYPE, /**< `int` and other words that are a type alone, and others behind it */
    WORD_OTHER = 56,
    WORD_OWN = 128
};

struct token {
    uint8_t kind;
    char sign;     /**< of one character: itself; 'S' for `::`; 0: another */
    bool silent;   /**< an attribute's name */
    uint32_t word; /**< a name's number, or that of the letters that end a number; 0: there are none */
    uint32_t at, end;
    uint32_t line;
    uint32_t marker; /**< where the line marker of its file begins; UINT32_MAX: there is none */
};

/** Texts that share the numbers of names. Zero-initialise. */
struct words {
    char **names;
    uint32_t count, size, *table, table_size;
};

struct tokens {
    const char *text; /**< borrowed */
    struct token *list; /**< a TOKEN_END stands before them, and a few behind */
    int count;          /**< without those */
};

/** A name's number. */
uint32_t words_number(struct words *w, const char *name, size_t len);
void words_free(struct words *w);

/** @return false if the text is none that is known */
bool tokens_read(struct tokens *t, struct words *w, const char *text);
void tokens_free(struct tokens *t);
/** The token that ends the brackets that begin at `i`; -1: none does. */
int tokens_match(const struct tokens *t, int i);
/** The same for `<`, as far as that can be told without knowing what is a template. */
int tokens_angle(const struct tokens *t, int i);

#endif
