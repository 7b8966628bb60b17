// Right, but computed by the host: the property on launches must notice. No verdict but that.
extern "C" void twice(const int *in, int *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = 2 * in[i];
}
