// The published queue, as it stands.
// replace: … =>
struct WorkItem {
    int first;
};
struct Queue {
    WorkItem *gItems;
    size_t totalSize, current;
    SNIPPET
};
