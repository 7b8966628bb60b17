// The published queue with &current.
// replace: atomicAdd(current,1) => atomicAdd(&current,1)
// replace: … =>
struct WorkItem {
    int first;
};
struct Queue {
    WorkItem *gItems;
    size_t totalSize, current;
    SNIPPET
};
