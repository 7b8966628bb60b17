// The published class, which its text leaves open.
// replace: … =>
struct WorkItem {
    int first;
};
SNIPPET
};
