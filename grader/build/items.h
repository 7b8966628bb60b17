/**
 * @file items.h
 * A preprocessed text as declarations: namespaces are opened and closed, and what stands in them is split into items, of which each is one declaration or
 * definition with the names by which others can mean it.
 */
#ifndef GRADER_BUILD_ITEMS_H
#define GRADER_BUILD_ITEMS_H

#include "build/tokens.h"

enum item_kind {
    ITEM_OPEN,  /**< `namespace X {`, `extern "C" {` */
    ITEM_CLOSE, /**< its end */
    ITEM_STAYS, /**< has effect without being named: pragmas, using directives, namespaces' other names */
    ITEM_DECLARATION,
};

/** Words in `items.words`. */
struct word_list {
    int first, count;
};

struct item {
    enum item_kind kind;
    int begin, end;           /**< its tokens */
    int name;                 /**< of which this one is the name that it declares; -1: none, or not clear */
    struct word_list names;   /**< what it declares; where that is not clear all names in it */
    struct word_list types;   /**< of a function that is not a class's member: its parameters' */
    struct word_list arguments; /**< of `template <> struct X<arguments>` */
    uint32_t owner;           /**< `owner::name`: a class, of which it is a part, or a namespace; 0: none */
    uint32_t type;            /**< the class or enumeration that it declares; 0: none */
    bool global;              /**< in no namespace: `X::name` does not mean it */
    bool implied;             /**< an operator: found without its name */
};

/** Zero-initialise. */
struct items {
    const struct tokens *tokens; /**< borrowed */
    struct item *list;
    int count, size;
    uint32_t *words;
    int words_count, words_size;
};

/** @return false if the text is none that is understood */
bool items_read(struct items *s, const struct tokens *t);
void items_free(struct items *s);

#endif
