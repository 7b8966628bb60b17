// Ways of using a buffer too early or in order, by number; test_programs.sh says which are findings and
// what the right ones print.
#include <cstdio>
#include <cstring>
__global__ void fill(int *x, int v) { for(int i=threadIdx.x;i<4096;i+=32) x[i] = v; }
__global__ void add(int *x, int v) { for(int i=threadIdx.x;i<4096;i+=32) x[i] += v; }
int main(int argc,char**argv){
  if (argc < 2) return 0;
  int w=argv[1][0]-'0'; cudaStream_t a,b; cudaStreamCreate(&a); cudaStreamCreate(&b); cudaEvent_t e; cudaEventCreate(&e);
  int *d,*h; cudaMalloc(&d,16384); cudaMallocHost(&h,16384); memset(h,0,16384);
  if(w==0){ fill<<<1,32,0,a>>>(d,7); cudaMemcpyAsync(h,d,16384,cudaMemcpyDeviceToHost,a); printf("%d\n",h[5]); cudaStreamSynchronize(a);}
  if(w==1){ fill<<<1,32,0,a>>>(d,7); cudaMemcpyAsync(h,d,16384,cudaMemcpyDeviceToHost,a); cudaStreamSynchronize(a); printf("%d\n",h[5]);}
  if(w==2){ h[5]=3; cudaMemcpyAsync(d,h,16384,cudaMemcpyHostToDevice,a); h[5]=9; cudaStreamSynchronize(a); cudaMemcpy(h,d,16384,cudaMemcpyDeviceToHost); printf("%d\n",h[5]);}
  if(w==3){ h[5]=3; cudaMemcpyAsync(d,h,16384,cudaMemcpyHostToDevice,a); add<<<1,32,0,b>>>(d,1); cudaDeviceSynchronize(); cudaMemcpy(h,d,16384,cudaMemcpyDeviceToHost); printf("%d\n",h[5]);}
  if(w==4){ h[5]=3; cudaMemcpyAsync(d,h,16384,cudaMemcpyHostToDevice,a); cudaEventRecord(e,a); cudaStreamWaitEvent(b,e,0); add<<<1,32,0,b>>>(d,1); cudaDeviceSynchronize(); cudaMemcpy(h,d,16384,cudaMemcpyDeviceToHost); printf("%d\n",h[5]);}
  if(w==5){ fill<<<1,32,0,a>>>(d,7); cudaMemcpyAsync(h,d,16384,cudaMemcpyDeviceToHost,a); cudaStreamSynchronize(b); printf("%d\n",h[5]); cudaDeviceSynchronize();}
  if(w==6){ int*p; cudaMallocAsync(&p,16384,a); fill<<<1,32,0,b>>>(p,1); cudaDeviceSynchronize(); cudaFreeAsync(p,a); cudaDeviceSynchronize(); puts("-");}
  if(w==7){ int*p; cudaMallocAsync(&p,16384,a); fill<<<1,32,0,a>>>(p,1); cudaStreamSynchronize(a); fill<<<1,32,0,b>>>(p,1); cudaFreeAsync(p,a); cudaDeviceSynchronize(); puts("-");}
  if(w==8){ int*p; cudaMallocAsync(&p,16384,a); fill<<<1,32,0,a>>>(p,1); cudaFreeAsync(p,a); cudaDeviceSynchronize(); puts("-");}
  return 0; }
