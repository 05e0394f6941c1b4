#include <gtest/gtest.h>
#include "physics/strand_lab.h"
#include "sim/models/registry.h"
namespace ringlet { namespace { using namespace lab;
SimSettings ftl_settings() {
    SimSettings out;
    for (std::size_t k = 0; k < all_models().size(); ++k)
        if (std::string(all_models()[k].name) == "ftl") out.model = static_cast<int>(k);
    out.damping = 1; return out; }
void trial(const char* name, std::vector<Vec3f> line, float k, float c, float s, int sub, float kicks, bool dyn=true){
    SimSettings st=ftl_settings(); st.ftl.bend_stiffness=k; st.ftl.bend_damping=c; st.ftl.correction=s; st.substeps=sub; st.ftl.dynamic=dyn;
    StrandSet rest=strands_of({line});
    Simulation sim(rest,st,{},1);
    kick(sim.state(),kicks);
    printf("%s k %.2f c %g s %.2f sub %d kick %g:",name,(double)k,(double)c,(double)s,sub,(double)kicks);
    for(int t=0;t<6;++t){ run(sim,0.5);
      double m=0,e=0; int n=(int)line.size(); for(int i=0;i<n;++i){ m=std::max(m,norm(wide(sim.state().x.vec3(0,i))-wide(line[(size_t)i])));} e=kinetic_energy(sim.state())/n;
      printf(" [%.4f e%.2g]",m,e);} printf("\n"); }
TEST(ftl, x) {
  auto hx=helix({0,0,0},0.013f,0.045f,0.34f,100);
  std::vector<Vec3f> c; for(size_t i=0;i<100;i+=2)c.push_back(hx[i]);
  auto st=straight_line({0,0,0},{0,-1,0},0.3f,50);
  auto hz=straight_line({0,0,0},{0.8f,0.6f,0},0.3f,50);
  for(auto& [n,l]: std::vector<std::pair<const char*,std::vector<Vec3f>>>{{"helix",hx},{"helix50",c},{"straight",st},{"slant",hz}})
   for(float k:{0.f,0.05f,0.3f,0.8f}) for(float cc:{0.f,20.f}) for(float s:{0.f,0.9f}) trial(n,l,k,cc,s,8,0.3f,s>0);
}
}}
